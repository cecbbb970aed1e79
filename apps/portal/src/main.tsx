import './styles.css';
// First of all, because the router reads the address.
import './routes/enter/link-code.js';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Portal } from './portal.js';
import { styleNonce } from './theme.js';

// The library that holds the page still behind a dialog makes a style element, with the nonce of this global.
Object.assign(window, { __webpack_nonce__: styleNonce() });

const place = document.getElementById('portal');
if (place === null) throw new Error('The page has no place for the portal');
createRoot(place).render(
  <StrictMode>
    <Portal />
  </StrictMode>,
);
