import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { open, readFile } from 'node:fs/promises';

/** Runs a program to its end. @returns its output. @throws Error with its error output when it fails. */
export async function runProgram(
  program: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = process.env,
): Promise<string> {
  return await new Promise((resolve, reject) => {
    execFile(program, args, { env, maxBuffer: 64 * 1_048_576 }, (error, stdout, stderr) => {
      if (error === null) {
        resolve(stdout);
      } else {
        reject(new Error(`${program} ${args.join(' ')} failed: ${stderr || stdout || error.message}`));
      }
    });
  });
}

/**
 * Runs a program that starts a server in the background, and waits for the end of the program only, because the server
 * keeps the output open.
 *
 * @throws Error with the log when the program fails.
 */
export async function startServer(program: string, args: readonly string[], logFile: string): Promise<void> {
  const log = await open(logFile, 'a');
  // The mail server is in another zone than the services, as on a host that an operator set up for its own country.
  const env = { ...process.env, TZ: 'Asia/Tokyo' };
  const child = spawn(program, args, { env, stdio: ['ignore', log.fd, log.fd] });
  const [code] = (await once(child, 'exit')) as [number | null];
  await log.close();
  if (code !== 0) throw new Error(`${program} ${args.join(' ')} failed: ${await readFile(logFile, 'utf8')}`);
}

/**
 * Sends a message as root with the sendmail command of the instance with this configuration.
 *
 * @throws Error with the command's message when it refuses.
 */
export async function sendmail(
  configDirectory: string,
  to: readonly string[],
  text: string,
  { from, options = [] }: { from?: string; options?: readonly string[] } = {},
): Promise<void> {
  const args = ['-C', configDirectory, '-i', ...options, ...(from === undefined ? [] : ['-f', from]), ...to];
  const child = spawn('/usr/sbin/sendmail', args, { stdio: ['pipe', 'ignore', 'pipe'] });
  let complaint = '';
  child.stderr.on('data', (chunk: Buffer) => {
    complaint += chunk.toString();
  });
  child.stdin.on('error', () => undefined);
  child.stdin.end(text);
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`sendmail to ${to.join(', ')} failed: ${complaint}`);
}
