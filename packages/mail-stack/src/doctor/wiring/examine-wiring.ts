import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { dovecotVersionOf } from '../../render/dovecot-version.js';
import { type RenderedFile, renderMailStack } from '../../render/render-mail-stack.js';
import { configDirectoryOf, postfixFolder, postfixInstances, sqlMapSettings } from '../../render/render-postfix.js';
import { type PostfixInstance, sqlMaps } from '../../render/sql-maps.js';
import { writeRendered } from '../../render/write-rendered.js';
import type { MailStackSettings } from '../../settings/mail-stack-settings.js';
import { linesThatShareProcesses, ownLinesOf, SHARED_PROCESSES } from '../../settings/own-lines.js';
import { type Finding, reasonOf, toFinding } from '../finding.js';
import { compareFolder, compareReaders, compareSettings, hasSameLines } from './compare-file.js';
import { dovecotConsequence, postfixConsequence } from './consequences.js';
import { type Difference, differences } from './differences.js';
import { readDovecot } from './read-dovecot.js';
import { readPostfix } from './read-postfix.js';
import { repeatedParameters } from './repeated-parameters.js';

const READ_BY_PROGRAMS = /\/(main\.cf|master\.cf|dovecot\.conf)$/;
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
    // What postconf and doveconf read, for root only where it has a password.
    await writeRendered(
      files.filter(({ path }) => READ_BY_PROGRAMS.test(path)),
      folder,
    );
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
      const inFiles = await problemsOfFiles(directory, own, async (name, path, file) => {
        const map = /^sql\/(.*)\.cf$/.exec(name)?.[1];
        if (map !== undefined) {
          const texts = await compareSettings(path, file);
          return texts.map((text) => `the map ${map} ${text}. Its purpose: ${purposes.get(map)}`);
        }
        if (name !== 'relay-passwords' || (await hasSameLines(path, file))) return [];
        return ['relay-passwords has other credentials: mail could leave by another account, or stay in the queue'];
      });
      return [...wrong, ...(await repeatedParameters(join(directory, 'main.cf'))), ...inFiles];
    },
  );
}

async function compareDovecot(
  settings: MailStackSettings,
  files: readonly RenderedFile[],
  folder: string,
): Promise<Finding[]> {
  const directory = settings.dovecot.configDirectory;
  const version = dovecotVersionOf(settings);
  return await findingsOf(
    directory,
    `Dovecot checks passwords and stores mail as rendered: ${directory}.`,
    async () => {
      const found = await readDovecot(join(directory, 'dovecot.conf'), version);
      const rendered = await readDovecot(join(folder, 'dovecot', 'dovecot.conf'), version);
      const wrong = differences(found, rendered).map((each) => sentenceOf(each, dovecotConsequence(each.name)));
      const inFiles = await problemsOfFiles(directory, filesIn(files, 'dovecot'), async (name, path, file) => {
        if (name.endsWith('.sieve') && !(await hasSameLines(path, file)))
          return [`${path} is another script: mail could be stored several times, sorted in another way, or discarded`];
        const texts = name.endsWith('.ext') ? await compareSettings(path, file) : [];
        return texts.map((text) => `${name} ${text}: ${dovecotConsequence(text)}`);
      });
      return [...wrong, ...inFiles];
    },
  );
}

/** Names the operator's own lines: what they may be, and what nobody tested. */
function ownLines(settings: MailStackSettings): Finding[] {
  const sharing = linesThatShareProcesses(settings.dovecot.extra, dovecotVersionOf(settings)).map(
    (name): Finding => ({ verdict: 'warning', sentence: `dovecot.extra sets ${name}: ${SHARED_PROCESSES}.` }),
  );
  const listed = (['postfix', 'dovecot'] as const).flatMap((program): Finding[] => {
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
  return [...listed, ...sharing];
}

/** Returns the rendered files of a folder, by their names in it. */
function filesIn(files: readonly RenderedFile[], folder: string): [name: string, file: RenderedFile][] {
  return files
    .filter(({ path }) => path.startsWith(`${folder}/`))
    .map((file) => [file.path.slice(folder.length + 1), file]);
}

/** Compares each file, and who may change its folder. A file that cannot be read hides nothing about the others. */
async function problemsOfFiles(
  directory: string,
  files: readonly [name: string, file: RenderedFile][],
  compare: (name: string, path: string, file: RenderedFile) => Promise<string[]>,
): Promise<string[]> {
  const problems: string[] = [];
  for (const folder of new Set(files.map(([name]) => dirname(join(directory, name))))) {
    problems.push(...(await compareFolder(folder)).map((text) => `${folder} ${text}`));
  }
  for (const [name, file] of files) {
    const path = join(directory, name);
    try {
      problems.push(...(await compareReaders(path, file)).map((text) => `${path} ${text}`));
      problems.push(...(await compare(name, path, file)));
    } catch (error) {
      problems.push(`${path} cannot be read: ${reasonOf(error)}`);
    }
  }
  return problems;
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
