import type { Config } from '@mailstead/adapters/config';
import { listOf } from '@mailstead/adapters/config-lists';
import { TokenHasher } from '@mailstead/core/api-keys/token-hasher';
import { needs } from '@mailstead/core/needs';
import { RandomSource } from '@mailstead/core/random-source';
import { TerminalCode } from '@mailstead/core/sessions/terminal-code';

const LOOPBACK_HOSTS = ['127.0.0.1', 'localhost', '::1'];

/** Makes the link with which the person at the terminal enters the portal as master, once and within five minutes. */
@needs(TerminalCode, RandomSource, TokenHasher)
export class TerminalLink {
  constructor(
    private readonly terminal: TerminalCode,
    private readonly random: RandomSource,
    private readonly tokens: TokenHasher,
  ) {}

  /**
   * @param portalUrl the URL of the portal
   * @param isTerminal whether the link will be written to a terminal. It must not reach a file or a pipe.
   * @returns null unless the service is embedded, on a terminal and for this machine alone: in a container the terminal
   * is the container's log.
   */
  create(
    { databaseUrl, publicUrl, host, masterToken }: Readonly<Config>,
    portalUrl: string,
    isTerminal: boolean,
  ): string | null {
    const [master] = listOf(masterToken);
    const isPrivate = databaseUrl === null && publicUrl === null && LOOPBACK_HOSTS.includes(host);
    if (!isTerminal || !isPrivate || master === undefined) return null;
    const code = this.random.secret();
    this.terminal.print(this.tokens.hash(code), this.tokens.hash(master));
    return `${portalUrl}enter#code=${code}`;
  }
}
