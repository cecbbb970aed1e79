import { ERRORS } from '@mailstead/core/errors';
import { statusOf } from '../http/problem.js';

/**
 * Returns the page to which the `type` of problem details leads: a line for each error code, with the code as its
 * anchor.
 */
export function errorCodesPage(): string {
  const rows = Object.entries(ERRORS).map(
    ([code, { kind, detail }]) =>
      `<tr id="${code}"><td><code>${code}</code></td><td>${statusOf(kind)}</td><td>${escaped(detail)}</td></tr>`,
  );
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Mailstead: error codes</title><link rel="icon" href="/docs/favicon.svg">
<style>body{font-family:sans-serif;margin:2em}td{padding:.2em 1em .2em 0}tr:target{background:#fe8}</style></head>
<body><h1>Error codes</h1>
<p>The <code>code</code> of problem details, with the status and the default detail. Programs should check the code.</p>
<table><thead><tr><th>code</th><th>status</th><th>detail</th></tr></thead><tbody>
${rows.join('\n')}
</tbody></table></body>
</html>
`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
