import react from '@vitejs/plugin-react';
import { defaultClientConditions, defineConfig } from 'vite';
import { compiledTexts } from './vite/compiled-texts.js';
import { componentStyles } from './vite/component-styles.js';
import { compressed } from './vite/compressed.js';
import { firstLoadWithin } from './vite/first-load.js';

const FIRST_LOAD_LIMIT_KB = 200;

export default defineConfig({
  base: '/portal/',
  // The API replaces the placeholder by the nonce of the response.
  html: { cspNonce: 'NONCE_OF_THE_RESPONSE' },
  // The sources of the client, so that the page needs no build of it.
  resolve: { conditions: ['mailstead-source', ...defaultClientConditions] },
  plugins: [react(), compiledTexts(), componentStyles(), firstLoadWithin(FIRST_LOAD_LIMIT_KB * 1_000), compressed()],
  build: {
    outDir: 'dist/page',
    target: 'es2022',
    manifest: true,
    // A data: URL in a script or a style would need a wider content security policy.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    chunkSizeWarningLimit: 700,
  },
});
