import react from "@vitejs/plugin-react";
import type { Plugin } from "vite";
import { defineConfig } from "vitest/config";

// Where `npm run dev` finds data: the mock of this folder, or a real program.
const server = process.env.OUTREACH ?? "http://127.0.0.1:4000";

// Nearly all of the first file runs at once: the browser is told to compile it whole while
// it arrives, beside the main thread, not function by function as each is called.
const compiledAhead = (): Plugin => ({
	name: "compiled-ahead",
	generateBundle: {
		order: "post",
		handler(_, bundle) {
			for (const file of Object.values(bundle))
				if (file.type === "chunk" && file.name === "first") file.code = `//# allFunctionsCalledOnLoad\n${file.code}`;
		},
	},
});

export default defineConfig({
	plugins: [react(), compiledAhead()],
	build: {
		outDir: "dist",
		target: "es2022",
		assetsInlineLimit: 0,
		modulePreload: { polyfill: false },
		rolldownOptions: {
			output: {
				codeSplitting: {
					groups: [
						// The script that fetches the first screen's data comes before the others in the page.
						{ name: "start", test: /src\/(start|gql\/first|parts\/theme)\.ts$/, priority: 3 },
						// The rest of what the first screen needs, and what most of the others need.
						{ name: "first", test: (id: string) => !/frame\.|\.html/.test(id), tags: ["$initial"], priority: 2 },
						{ name: "shared", minShareCount: 3, priority: 1 },
					],
				},
			},
			input: ["index.html", "frame.html"],
		},
	},
	server: { proxy: { "/graphql": server } },
	test: { include: ["src/**/*.test.{ts,tsx}"] },
});
