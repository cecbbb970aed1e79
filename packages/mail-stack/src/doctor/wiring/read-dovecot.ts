import { createHmac, randomBytes } from 'node:crypto';
import type { DovecotVersion } from '../../settings/mail-stack-settings.js';
import { run } from '../run.js';
import type { Lines } from './differences.js';

/** Settings whose values are shown as a mark, by which only this process can compare two of them. */
const SECRET = /(^|_| )(password|api_key)$/;
const MARK_KEY = randomBytes(32);

/**
 * Returns what a configuration of Dovecot says, with the files that it includes, as doveconf(1) prints it:
 * `block / block / setting`. A block of which there are several with one name has a number. A block without settings
 * (`userdb prefetch {}`) is a line too. Secrets are marks.
 *
 * @param version with 2.3 secrets are not compared, because doveconf would print the content of the TLS key too.
 * @throws Error when doveconf cannot read it.
 */
export async function readDovecot(file: string, version: DovecotVersion): Promise<Lines> {
  const options = version === '2.3' ? ['-n'] : ['-n', '-P'];
  const lines = new Map<string, string>();
  const blocks: string[] = [];
  const numbers = new Map<string, number>();
  let isEmpty = false;
  for (const line of (await run('doveconf', [...options, '-c', file])).split('\n').map((each) => each.trim())) {
    if (line === '' || line.startsWith('#')) continue;
    if (line === '}') {
      if (isEmpty) lines.set(blocks.join(' / '), 'empty');
      blocks.pop();
      isEmpty = false;
    } else if (line.endsWith('{')) {
      blocks.push(numbered(numbers, [...blocks, line.slice(0, -1).trim()].join(' / '), line));
      isEmpty = true;
    } else {
      isEmpty = false;
      const [name = '', ...value] = line.split(/ ?= ?/);
      const text = value.join(' = ');
      lines.set([...blocks, name].join(' / '), SECRET.test(name) ? markOf(text) : text);
    }
  }
  return lines;
}

function markOf(secret: string): string {
  return `hidden ${createHmac('sha256', MARK_KEY).update(secret).digest('hex').slice(0, 8)}`;
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
