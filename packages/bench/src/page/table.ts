import type { Row } from '../report.js';

/** The rows of a bench as a table of Markdown. */
export function tableOf(rows: readonly Row[]): string {
  return markdownTable(
    ['what', 'measured', 'target', 'held'],
    rows.map(({ what, measured, target, held }) => [
      what,
      measured,
      target,
      target === '' ? '' : held ? 'yes' : '**no**',
    ]),
  );
}

export function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, head.map(() => '---'), ...rows];
  return lines.map((cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`).join('\n');
}
