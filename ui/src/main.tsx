import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './App';
import { client } from './data';
import { applyTheme } from './parts/theme';
import './styles/tokens.css';
import './styles/base.css';
import './styles/frame.css';
import './styles/lists.css';
import './styles/pages.css';

applyTheme();
createRoot(document.getElementById('root')!).render(
  <StrictMode><QueryClientProvider client={client}><App /></QueryClientProvider></StrictMode>,
);
