import type { GivenLogo } from '@mailstead/core/brands/change-brand';

const SVG = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64">
<rect width="64" height="64" rx="12" fill="#0b5cad"/>
<path d="M12 40h40l-6 10H18z" fill="#ffffff"/>
<path d="M30 12v24H16z" fill="#ffffff"/>
<path d="M34 16v20h14z" fill="#9cc7f0"/>
</svg>`;

/** A boat. */
export const LOGO: GivenLogo = { type: 'image/svg+xml', bytes: new TextEncoder().encode(SVG) };
