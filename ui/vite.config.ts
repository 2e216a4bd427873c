import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';

// Where `npm run dev` finds data: the mock of this folder, or a real program.
const server = process.env.OUTREACH ?? 'http://127.0.0.1:4000';

export default defineConfig({
  plugins: [react()],
  build: {
    outDir: 'dist',
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rollupOptions: { input: ['index.html', 'frame.html'] },
  },
  server: { proxy: { '/graphql': server } },
  test: { include: ['src/**/*.test.ts'] },
});
