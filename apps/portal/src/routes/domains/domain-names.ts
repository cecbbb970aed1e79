/** The most names of one paste or file. */
export const MOST_NAMES = 10_000;

const HEADINGS = new Set(['domain', 'domains', 'name', 'domain_name']);

/**
 * Reads domain names from lines, a list, or the first column of a CSV file. Whether a name is good, the API says.
 *
 * @returns each name once, in the order of the text.
 */
export function namesIn(text: string): string[] {
  const isList = !/[\n\r]/.test(text.trim());
  const names = text.split(isList ? /[\s,;]+/ : /[\r\n]+/).map((line) => firstCell(line).toLowerCase());
  const [heading = '', ...rest] = names;
  return [...new Set(HEADINGS.has(heading) ? rest : names)].filter((name) => name !== '');
}

function firstCell(line: string): string {
  return (line.split(/[,;\t]/, 1)[0] ?? '').trim().replaceAll(/^["']|["']$/g, '');
}
