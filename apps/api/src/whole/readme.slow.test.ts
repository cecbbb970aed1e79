import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ChildService } from '../testing/child-service.js';

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url));
const README_URL = 'http://127.0.0.1:8080';

/**
 * Interactive, because a terminal is: zsh has no comments then, and bash expands `!`. The text is the standard input.
 */
const SHELLS = [
  { name: 'dash', args: ['-i'] },
  { name: 'bash', args: ['--norc', '--noprofile', '-i'] },
  { name: 'zsh', args: ['-f', '-i'] },
].filter(({ name }) => isInstalled(name));

function isInstalled(program: string): boolean {
  return (process.env.PATH ?? '').split(':').some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

/** Returns the code blocks of a document in this language. */
async function blocksOf(document: string, language: string): Promise<string[]> {
  const text = await readFile(join(ROOT, document), 'utf8');
  return [...text.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms'))].map(([, block = '']) => block);
}

async function tour(): Promise<string> {
  const [block, ...others] = (await blocksOf('README.md', 'sh')).filter((each) => each.includes(README_URL));
  if (block === undefined || others.length > 0) throw new Error(`README.md needs one block with ${README_URL}.`);
  return block;
}

/** The programs that run. When the service does not start, the tour waits for it for ever. */
const programs = new Set<ChildProcess>();

/** Runs a program with its standard input. */
async function run(program: string, args: string[], input: string, options: { cwd: string; env: NodeJS.ProcessEnv }) {
  const child: ChildProcess = spawn(program, args, { ...options, stdio: 'pipe' });
  programs.add(child);
  let [output, errors] = ['', ''];
  child.stdout?.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  child.stderr?.on('data', (chunk: Buffer) => {
    errors += chunk.toString();
  });
  child.stdin?.end(input);
  await once(child, 'close');
  programs.delete(child);
  return { output, errors };
}

function environmentOf(folder: string): { cwd: string; env: NodeJS.ProcessEnv } {
  return {
    cwd: folder,
    env: { PATH: `${folder}/bin:${process.env.PATH}`, HOME: folder, TERM: 'dumb', PS1: '', PS2: '' },
  };
}

function answersIn(output: string): Record<string, unknown>[] {
  return [...output.matchAll(/\{".*\}$/gm)].map(([line]) => JSON.parse(line) as Record<string, unknown>);
}

describe('the commands of the documents', () => {
  let folder: string;
  let service: ChildService | null;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'mailstead-readme-'));
    service = null;
  });
  afterEach(async () => {
    for (const program of programs) program.kill('SIGKILL');
    await service?.end('SIGKILL');
    await rm(folder, { recursive: true, force: true });
  });

  /** Starts the service with its defaults, as `npm start` does in a checkout whose folder is `folder`. */
  async function start(environment: Record<string, string> = {}): Promise<ChildService> {
    service = await ChildService.spawn('api', { MASTER_TOKEN: '', DATA_DIR: join(folder, 'data'), ...environment });
    return service;
  }

  /** Replaces `sleep` by a program that ends at once. */
  async function skipSleep(): Promise<void> {
    await mkdir(join(folder, 'bin'));
    await symlink('/bin/true', join(folder, 'bin/sleep'));
  }

  /**
   * Pastes the tour while the service starts. @returns the JSON answers, and the error lines of the shell and of curl.
   */
  async function paste({ name, args }: (typeof SHELLS)[number], { url }: ChildService) {
    const text = (await tour()).replaceAll(README_URL, url);
    const { output, errors } = await run(name, args, text, environmentOf(folder));
    return {
      answers: answersIn(output),
      refused: [...errors.matchAll(/requested URL returned error: (\d+)/g)].map(([, status]) => Number(status)),
      failed: errors.split('\n').filter((line) => /not found|no such|error(?!: \d)|denied|unbound/i.test(line)),
    };
  }

  it.each(SHELLS)(
    'work in $name when the whole tour is pasted before the service listens, and again',
    async (shell) => {
      await skipSleep();
      const running = await start({ SANDBOX_VERIFY_AFTER: '0' });
      const first = await paste(shell, running);
      expect(first.failed).toEqual([]);
      expect(first.refused).toEqual([404]);
      expect(first.answers).toEqual([
        expect.objectContaining({ partner_ref: 'acme', domains_allowed: 10 }),
        expect.objectContaining({ name: 'acme.example' }),
        expect.objectContaining({ email: 'jo@acme.example' }),
        expect.objectContaining({ catch_all: true }),
        expect.objectContaining({ verified: true }),
        expect.objectContaining({ verification_status: 'verified', inbound: 'open' }),
        expect.objectContaining({ partner_ref: 'rival' }),
        expect.objectContaining({ code: 'domain_not_found' }),
      ]);
      const second = await paste(shell, running);
      expect(second.failed).toEqual([]);
      expect(second.answers.map(({ code, detail }) => [code, detail]).filter(([code]) => code !== undefined)).toEqual([
        ['domain_exists', 'Domain already exists'],
        ['mailbox_exists', 'Mailbox already exists'],
        ['alias_exists', 'Alias already exists'],
        ['domain_not_found', 'Domain not found'],
      ]);
      expect(second.refused).toEqual([400, 400, 400, 404]);
    },
  );

  it('wait until the sandbox has verified the domain', async () => {
    const [shell = { name: 'sh', args: ['-i'] }] = SHELLS;
    const { answers } = await paste(shell, await start());
    expect(answers.find((answer) => 'verified' in answer)).toMatchObject({ verified: true });
  });

  it.each(SHELLS)('that the start prints work in $name', async ({ name, args }) => {
    const { url } = await start();
    await service?.until(async () => (await fetch(`${url}/health`)).ok);
    const commands = service?.output.match(/^ {2}\S.*$/gm)?.join('\n') ?? '';
    const { output } = await run(name, args, `${commands}\n`, environmentOf(folder));
    expect(answersIn(output)).toEqual([
      expect.objectContaining({ name: 'example.org' }),
      expect.objectContaining({ email: 'me@example.org' }),
      expect.objectContaining({ name: 'example.org', mailboxes: 1 }),
    ]);
  });

  it('run the example of the client', async () => {
    const token = 'master-token-of-the-example-0123456789';
    const { url } = await start({ MASTER_TOKEN: token });
    await service?.until(async () => (await fetch(`${url}/health`)).ok);
    const [example = '', ...others] = await blocksOf('packages/client/README.md', 'ts');
    expect(others).toEqual([]);
    const { output, errors } = await run(
      process.execPath,
      ['--input-type=module'],
      `${example.replace('https://mail.example.net', url)}\nconsole.log(JSON.stringify(data));`,
      { cwd: ROOT, env: { PATH: process.env.PATH, MAILSTEAD_TOKEN: token } },
    );
    expect(errors).toMatch(/^validation_failed name must not be a public suffix/);
    expect(JSON.parse(output)).toMatchObject({ name: 'example.com', verification_status: 'pending' });
  });

  it.each(['README.md', 'CONTRIBUTING.md'])(
    'of %s have no comments, which zsh would run, and exist',
    async (document) => {
      const { scripts } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as { scripts: object };
      const lines = (await blocksOf(document, 'sh')).flatMap((block) => block.split('\n'));
      expect(lines.filter((line) => /(^|\s)#/.test(line))).toEqual([]);
      const text = await readFile(join(ROOT, document), 'utf8');
      const named = [...text.matchAll(/npm run ([a-z:-]+)/g)].map(([, name = '']) => name);
      expect(named.filter((name) => !(name in scripts))).toEqual([]);
    },
  );
});
