import { run } from '../run.js';
import type { Lines } from './differences.js';

/**
 * Returns what a configuration of Dovecot says, with the files that it includes, as doveconf(1) prints it:
 * `block / block / setting`. A block of which there are several with one name has a number. Secrets are hidden.
 *
 * @throws Error when doveconf cannot read it.
 */
export async function readDovecot(file: string): Promise<Lines> {
  const lines = new Map<string, string>();
  const blocks: string[] = [];
  const numbers = new Map<string, number>();
  for (const line of (await run('doveconf', ['-n', '-c', file])).split('\n').map((each) => each.trim())) {
    if (line === '' || line.startsWith('#')) continue;
    if (line === '}') blocks.pop();
    else if (line.endsWith('{'))
      blocks.push(numbered(numbers, [...blocks, line.slice(0, -1).trim()].join(' / '), line));
    else {
      const [name = '', ...value] = line.split(/ ?= ?/);
      lines.set([...blocks, name].join(' / '), value.join(' = '));
    }
  }
  return lines;
}

/** The second `userdb` is `userdb 2`. */
function numbered(numbers: Map<string, number>, path: string, line: string): string {
  const number = (numbers.get(path) ?? 0) + 1;
  numbers.set(path, number);
  const name = line.slice(0, -1).trim();
  return number === 1 ? name : `${name} ${number}`;
}

/** Returns the settings of a text of the kind `name = value`; a value goes on in the next line after a backslash. */
export function settingsOf(text: string): Lines {
  const lines = text
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.startsWith('#'));
  return new Map(
    lines.map((line) => {
      const at = line.indexOf('=');
      return [line.slice(0, at).trim(), line.slice(at + 1).trim()] as const;
    }),
  );
}
