import { readFile, stat } from 'node:fs/promises';
import type { RenderedFile } from '../../render/render-mail-stack.js';
import { groupId, MODES } from '../../render/write-rendered.js';
import { differences } from './differences.js';
import { settingsOf } from './read-dovecot.js';

/**
 * Returns what is wrong with the owner and the mode of an installed file, as sentences without a subject. Root is its
 * owner, nobody but its readers may read it, and nobody but root may write it.
 */
export async function compareReaders(path: string, { readers }: RenderedFile): Promise<string[]> {
  const { uid, gid, mode } = await stat(path);
  const rendered = MODES[readers];
  const group = readers === 'postfix' ? await groupId('postfix') : null;
  return [
    ...(uid === 0 ? [] : [`belongs to the user ${uid}, and must belong to root`]),
    ...((mode & 0o777 & ~rendered) === 0
      ? []
      : [`has the mode ${octal(mode)}, and must have ${octal(rendered)}: ${whoElse(readers)}`]),
    ...((rendered & ~mode) === 0 && (group === null || gid === group)
      ? []
      : ['cannot be read by those who need it; copy it with `cp -a`']),
  ];
}

/** Whoever may write a folder may replace the files in it. */
export async function compareFolder(path: string): Promise<string[]> {
  const { uid, mode } = await stat(path);
  return uid === 0 && (mode & 0o022) === 0
    ? []
    : [`has the owner ${uid} and the mode ${octal(mode)}: others may replace its files`];
}

/** Returns the names of the settings of a file `name = value` that differ; values only where they are no secret. */
export async function compareSettings(path: string, { content }: RenderedFile): Promise<string[]> {
  const found = settingsOf(await readFile(path, 'utf8'));
  return differences(found, settingsOf(content)).map(({ name, found: value }) => {
    if (value === null) return `lacks ${name}`;
    return /query|driver|scheme/.test(name) ? `has another ${name}: ${value.slice(0, 200)}` : `has another ${name}`;
  });
}

/** Returns whether the lines of two texts are the same, without comments. */
export async function hasSameLines(path: string, { content }: RenderedFile): Promise<boolean> {
  const lines = (text: string): string =>
    text
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
      .join('\n');
  return lines(await readFile(path, 'utf8')) === lines(content);
}

function octal(mode: number): string {
  return `0${(mode & 0o777).toString(8)}`;
}

function whoElse(readers: RenderedFile['readers']): string {
  return readers === 'everyone' ? 'others may change it' : 'others may read its passwords or change it';
}
