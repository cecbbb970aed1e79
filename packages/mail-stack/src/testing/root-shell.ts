import { type ChildProcess, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import { debianRoot, missingForRoot, spawnInRoot } from '../../../../scripts/debian-root.mjs';

const MARK = 'ended with';

/**
 * A shell in a root of Debian 13. Its temporary files are those of this machine, and so are its processes: servers that
 * it starts outlive it, and the numbers in their pid files are right.
 */
export class RootShell {
  private constructor(
    private readonly shell: ChildProcess,
    private readonly lines: Interface,
    private readonly outputFile: string,
  ) {}

  /**
   * @param folder below the folder of temporary files, for the output of commands.
   * @throws Error with what is missing for a root of Debian 13.
   */
  static async open(folder: string): Promise<RootShell> {
    const missing = await missingForRoot();
    if (missing !== null) throw new Error(missing);
    const shell = spawnInRoot(await debianRoot(), ['bash'], {
      temporary: tmpdir(),
      outlives: true,
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    if (shell.stdout === null) throw new Error('the shell has no output');
    return new RootShell(shell, createInterface({ input: shell.stdout }), join(folder, 'root-shell.out'));
  }

  /** Runs a command. @returns its output. @throws Error with its output when it fails. */
  async run(command: string): Promise<string> {
    const ended = once(this.lines, 'line') as Promise<[string]>;
    // A server that the command starts keeps its output open.
    this.shell.stdin?.write(`{ ${command}\n} >${this.outputFile} 2>&1 </dev/null; echo ${MARK} $?\n`);
    const [line] = await ended;
    const output = await readFile(this.outputFile, 'utf8');
    if (line !== `${MARK} 0`) throw new Error(`${command} ${line}: ${output}`);
    return output;
  }

  async close(): Promise<void> {
    const ended = once(this.shell, 'exit');
    this.shell.stdin?.end();
    await ended;
  }
}

/** Returns the number of a user or group of this machine. */
export function idHere(kind: 'passwd' | 'group', name: string): number {
  const { stdout } = spawnSync('getent', [kind, name], { encoding: 'utf8' });
  return Number(stdout.split(':')[2]);
}
