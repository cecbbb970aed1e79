import { deadline } from '@mailstead/core/deadlines';
import { AppError, reasonOf } from '@mailstead/core/errors';
import { MailSessions, unknownServer } from '@mailstead/core/mail-sessions/mail-sessions';
import { boundedText } from '../bounded-text.js';
import { type DoveadmRequest, readDoveadmAnswer } from './doveadm-answer.js';
import { postDoveadm } from './post-doveadm.js';

export interface DovecotSessionsOptions {
  /** The doveadm HTTP API of each mail server, like `http://127.0.0.1:2180/doveadm/v1`. */
  servers: readonly string[];
  /** Dovecot's `doveadm_api_key`, the same on each server. */
  apiKey: string;
  /** The time limit of one request, milliseconds; `mailSessions` of `DEADLINES` by default. */
  timeoutMs?: number;
  /** How long a server that did not answer rests, milliseconds; 5 seconds by default. */
  restMs?: number;
}

/** After a server did not answer, one request in this time tries it; the others fail at once and hold no worker. */
const DEFAULT_REST_MS = 5_000;
const HTTP_OK = 200;
const USER = /"username":"([^"\\]+)"/g;
/** As many names of domains are kept of one server. */
const MAX_DOMAINS = 100_000;
/** Dovecot takes 4 ms for each at 2,000 sessions, and in proportion to them. */
const KICKS_PER_REQUEST = 100;
/** Dovecot 2.3 answers a kick with the name of each ended session. */
const MAX_ANSWER_BYTES = 16 * 1_024 * 1_024;
/** The exit code of a kick in Dovecot 2.3 when nobody with that name is there; 2.4 has none then. */
const NOBODY = 68;
/** In a mask `*` and `?` stand for other characters, and an empty mask is everybody in Dovecot 2.3. */
const NAME = /^[^*?\s]+$/;

/**
 * Ends open sessions by `kick` of the doveadm HTTP API of Dovecot 2.3 and 2.4. Both take exactly one mask of names in a
 * command, and several commands in a request.
 */
export class DovecotSessions extends MailSessions {
  override readonly servers: readonly string[];
  /** Servers that did not answer, and until when they rest. */
  private readonly resting = new Map<string, number>();

  constructor(private readonly options: DovecotSessionsOptions) {
    super();
    this.servers = options.servers;
  }

  override async domains(server: string): Promise<string[]> {
    const found = new Set<string>();
    const who: DoveadmRequest = { command: 'who', parameters: { separateConnections: true } };
    await this.run(server, [who], async (status, body) => {
      const failure = await readDoveadmAnswer(status, body, USER, (user) => {
        const name = user.slice(user.lastIndexOf('@') + 1);
        if (name !== user && found.size < MAX_DOMAINS) found.add(name);
      });
      if (failure !== null) throw unavailable(server, 'who', failure);
    });
    return [...found];
  }

  override async end(server: string, names: readonly string[]): Promise<void> {
    const kicks = names.map((name): DoveadmRequest => ({ command: 'kick', parameters: { mask: [maskOf(name)] } }));
    for (let first = 0; first < kicks.length; first += KICKS_PER_REQUEST) {
      const requests = kicks.slice(first, first + KICKS_PER_REQUEST);
      await this.run(server, requests, async (status, body) => {
        const text = await boundedText(body, MAX_ANSWER_BYTES, 'Dovecot');
        const failure = failureOfKicks(status, text, requests.length);
        if (failure !== null) throw unavailable(server, 'kick', failure);
      });
    }
  }

  private async run(
    server: string,
    requests: readonly DoveadmRequest[],
    read: (status: number, body: AsyncIterable<Uint8Array>) => Promise<void>,
  ): Promise<void> {
    if (!this.servers.includes(server)) throw unknownServer(server);
    const { apiKey, timeoutMs = deadline('mailSessions'), restMs = DEFAULT_REST_MS } = this.options;
    const [command = ''] = requests.map((request) => request.command);
    const restsUntil = this.resting.get(server);
    if (restsUntil !== undefined) {
      if (performance.now() < restsUntil) throw unavailable(server, command, 'it did not answer a moment ago');
      this.resting.set(server, performance.now() + timeoutMs + restMs);
    }
    const signal = AbortSignal.timeout(timeoutMs);
    try {
      const response = await postDoveadm({ url: server, apiKey }, requests, timeoutMs, signal);
      await read(response.statusCode, response.body);
      this.resting.delete(server);
    } catch (error) {
      if (error instanceof AppError) {
        this.resting.delete(server);
        throw error;
      }
      this.resting.set(server, performance.now() + restMs);
      throw unavailable(server, command, signal.aborted ? `no answer within ${timeoutMs} ms` : reasonOf(error), error);
    }
  }
}

/** @throws RangeError for a name that would be a mask of others */
function maskOf(name: string): string {
  if (!NAME.test(name)) throw new RangeError('A name of sessions to end must be one name');
  return name.includes('@') ? name : `*@${name}`;
}

/**
 * @param text `[["doveadmResponse",…,"tag"],["error",{"type":"exitCode","exitCode":68},"tag"],…]`, one entry for each
 * kick
 * @returns the reason of a failure, as the end of a sentence; null for success
 */
function failureOfKicks(status: number, text: string, kicks: number): string | null {
  if (status === 401) return 'it refused DOVEADM_API_KEY';
  if (status !== HTTP_OK) return `it answered ${status}`;
  const answers = parsed(text);
  if (!Array.isArray(answers) || answers.length !== kicks) return 'its answer cannot be read';
  for (const answer of answers as unknown[]) {
    const [kind, error] = (Array.isArray(answer) ? answer : []) as [unknown, unknown];
    if (kind === 'doveadmResponse') continue;
    const { type, exitCode } = (error ?? {}) as { type?: unknown; exitCode?: unknown };
    if (exitCode !== NOBODY) return `it answered ${String(type)} ${Number(exitCode)}`;
  }
  return null;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function unavailable(server: string, command: string, reason: string, cause?: unknown): AppError {
  return new AppError('mail_store_unavailable', {
    detail: `Dovecot at ${server} did not carry out ${command}: ${reason}`,
    cause,
  });
}
