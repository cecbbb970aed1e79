import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type RenderedFile, renderMailStack } from '../../render/render-mail-stack.js';
import { configDirectoryOf, postfixFolder, postfixInstances, sqlMapSettings } from '../../render/render-postfix.js';
import { type PostfixInstance, sqlMaps } from '../../render/sql-maps.js';
import { writeRendered } from '../../render/write-rendered.js';
import type { MailStackSettings } from '../../settings/mail-stack-settings.js';
import { ownLinesOf } from '../../settings/own-lines.js';
import { type Finding, toFinding } from '../finding.js';
import { compareReaders, compareSettings, hasSameLines } from './compare-file.js';
import { dovecotConsequence, postfixConsequence } from './consequences.js';
import { type Difference, differences } from './differences.js';
import { readDovecot } from './read-dovecot.js';
import { readPostfix } from './read-postfix.js';

/** Longer values are cut. */
const SHOWN_CHARACTERS = 160;
/** Differences of one program that are shown. A file of another release differs in hundreds of lines. */
const MOST_SHOWN = 40;

/**
 * Compares what Postfix and Dovecot are configured to do with what the settings render now: every parameter, service,
 * map, file, owner and mode. Each difference is a finding with its consequence. It cannot see what a program still does
 * by files that changed since it read them.
 */
export async function examineWiring(settings: MailStackSettings): Promise<Finding[]> {
  const files = renderMailStack(settings);
  const folder = await mkdtemp(join(tmpdir(), 'mailstead-doctor-'));
  try {
    await writeRendered(files, folder);
    const findings: Finding[] = [];
    for (const instance of postfixInstances(settings)) {
      findings.push(...(await comparePostfix(settings, instance, files, folder)));
    }
    return [...findings, ...(await compareDovecot(settings, files, folder)), ...ownLines(settings)];
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function comparePostfix(
  settings: MailStackSettings,
  instance: PostfixInstance,
  files: readonly RenderedFile[],
  folder: string,
): Promise<Finding[]> {
  const directory = configDirectoryOf(settings, instance);
  const own = filesIn(files, postfixFolder(instance));
  const purposes = new Map(sqlMaps(instance, sqlMapSettings(settings)).map(({ name, purpose }) => [name, purpose]));
  return await findingsOf(
    directory,
    {
      mx: `Mail from strangers leaves by no relay: ${directory} is as rendered.`,
      submission: `Mail of users is counted at its end, and nothing refuses it afterwards: ${directory} is as rendered.`,
    }[instance],
    async () => {
      const found = await readPostfix(directory);
      const rendered = await readPostfix(join(folder, postfixFolder(instance)));
      const wrong = differences(found, rendered).map((each) => sentenceOf(each, postfixConsequence(each.name)));
      for (const [name, file] of own) {
        const path = join(directory, name);
        wrong.push(...(await readersOf(path, file)));
        const map = /^sql\/(.*)\.cf$/.exec(name)?.[1];
        if (map !== undefined) {
          const texts = await compareSettings(path, file);
          wrong.push(...texts.map((text) => `the map ${map} ${text}. Its purpose: ${purposes.get(map)}`));
        } else if (name === 'relay-passwords' && !(await hasSameLines(path, file))) {
          wrong.push(
            'relay-passwords has other credentials: mail could leave by another account, or stay in the queue',
          );
        }
      }
      return wrong;
    },
  );
}

async function compareDovecot(
  { dovecot }: MailStackSettings,
  files: readonly RenderedFile[],
  folder: string,
): Promise<Finding[]> {
  const directory = dovecot.configDirectory;
  return await findingsOf(
    directory,
    `Dovecot checks passwords and stores mail as rendered: ${directory}.`,
    async () => {
      const found = await readDovecot(join(directory, 'dovecot.conf'));
      const rendered = await readDovecot(join(folder, 'dovecot', 'dovecot.conf'));
      const wrong = differences(found, rendered).map((each) => sentenceOf(each, dovecotConsequence(each.name)));
      for (const [name, file] of filesIn(files, 'dovecot')) {
        const path = join(directory, name);
        wrong.push(...(await readersOf(path, file)));
        if (!name.endsWith('.ext')) continue;
        const texts = await compareSettings(path, file);
        wrong.push(...texts.map((text) => `${name} ${text}: ${dovecotConsequence(text)}`));
      }
      return wrong;
    },
  );
}

/** Names the operator's own lines: what they may be, and what nobody tested. */
function ownLines(settings: MailStackSettings): Finding[] {
  return (['postfix', 'dovecot'] as const).flatMap((program): Finding[] => {
    const { names, unsupported } = ownLinesOf(settings, program);
    const supported = names.filter((name) => !unsupported.includes(name));
    return [
      ...(supported.length === 0
        ? []
        : [{ verdict: 'ok' as const, sentence: `Own lines of ${program}.extra: ${supported.join(', ')}.` }]),
      ...(unsupported.length === 0
        ? []
        : [
            {
              verdict: 'warning' as const,
              sentence: `${program}.extra sets what is not supported: ${unsupported.join(', ')}. What the documents say may not hold.`,
            },
          ]),
    ];
  });
}

/** Returns the rendered files of a folder, by their names in it. */
function filesIn(files: readonly RenderedFile[], folder: string): [name: string, file: RenderedFile][] {
  return files
    .filter(({ path }) => path.startsWith(`${folder}/`))
    .map((file) => [file.path.slice(folder.length + 1), file]);
}

async function readersOf(path: string, file: RenderedFile): Promise<string[]> {
  return (await compareReaders(path, file)).map((text) => `${path} ${text}`);
}

async function findingsOf(directory: string, right: string, compare: () => Promise<string[]>): Promise<Finding[]> {
  const wrong: string[] = [];
  const finding = await toFinding(
    `The configuration in ${directory} cannot be compared with the rendered one`,
    async () => {
      wrong.push(...(await compare()));
      return right;
    },
  );
  if (wrong.length === 0) return [finding];
  const shown = wrong.slice(0, MOST_SHOWN);
  const more = wrong.length - shown.length;
  return [
    ...shown.map((text) => ({
      verdict: 'wrong' as const,
      sentence: `The configuration in ${directory} is not the rendered one: ${text}.`,
    })),
    ...(more === 0
      ? []
      : [
          {
            verdict: 'wrong' as const,
            sentence: `${more} more lines in ${directory} are not as rendered; render and copy the files again.`,
          },
        ]),
  ];
}

function sentenceOf({ name, found, rendered }: Difference, consequence: string): string {
  const what =
    found === null
      ? `${name} is not set, and is rendered as ${quoted(rendered)}`
      : rendered === null
        ? `${name} is ${quoted(found)}, and is not rendered`
        : `${name} is ${quoted(found)}, and is rendered as ${quoted(rendered)}`;
  return `${what}; ${consequence}`;
}

function quoted(value: string | null): string {
  const text = value ?? '';
  return `"${text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text}"`;
}
