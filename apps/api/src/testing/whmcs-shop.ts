import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PHP } from './describe-php.js';

/** The folder of the integration: its module and its tests' PHP. */
export const WHMCS_FOLDER = fileURLToPath(new URL('../../../../integrations/whmcs/', import.meta.url));

/** The functions that WHMCS calls for one service and that answer `success` or a sentence. */
const COMMANDS = ['CreateAccount', 'SuspendAccount', 'UnsuspendAccount', 'TerminateAccount', 'ChangePackage'] as const;

/** All functions that ask the API. */
export const FUNCTIONS = [...COMMANDS, 'TestConnection', 'UsageUpdate', 'ServiceSingleSignOn', 'ClientArea'] as const;

/** One call of WHMCS's logModuleCall, as the module made it: before WHMCS masks anything. */
export interface LogEntry {
  module: string;
  action: string;
  request: string;
  response: string;
  processed: string;
  replaceVars: string[];
}

export interface ModuleAnswer {
  result: unknown;
  log: LogEntry[];
  properties: Record<string, string>;
  tables: Record<string, Record<string, unknown>[]>;
}

export interface CallOptions {
  properties?: Record<string, string>;
  tables?: Record<string, Record<string, unknown>[]>;
  /** The longest time for one request; 20 s without it. */
  timeoutSeconds?: number;
  /** Whether WHMCS cannot store service properties. */
  brokenProperties?: boolean;
  /** A file with the certificates of the authorities that PHP trusts. */
  authorities?: string;
}

/** The module settings of a product. */
export interface ProductSettings {
  plan?: string;
  partner?: string;
  deletes?: boolean;
}

/** A WHMCS with one server: the address of a service and a token for it. */
export class WhmcsShop {
  constructor(
    readonly url: string,
    readonly token: string,
    private readonly server: Record<string, unknown> = {},
  ) {}

  service(id: number, domain: string, product: ProductSettings = {}): WhmcsService {
    return new WhmcsService(this, {
      serviceid: id,
      pid: 3,
      domain,
      username: 'exampleo',
      password: 'password-of-the-service-0123',
      configoption1: product.plan ?? 'none',
      configoption2: product.partner ?? '',
      configoption3: product.deletes === true ? 'on' : '',
    });
  }

  /**
   * Calls a function of the module in a PHP of its own.
   *
   * @throws Error when PHP reports anything, when the token is in the answer or in the log, and when a log entry does
   * not name it among the strings that WHMCS masks.
   */
  async call(action: string, params: Record<string, unknown> = {}, options: CallOptions = {}): Promise<ModuleAnswer> {
    const { hostname, port, protocol } = new URL(this.url);
    const { authorities, ...given } = options;
    const server = {
      serverid: 7,
      serverhostname: hostname,
      serverport: port,
      serversecure: protocol === 'https:',
      serverusername: '',
      serverpassword: this.token,
      serveraccesshash: '',
      ...this.server,
    };
    const output = await runPhp(
      [
        ...(authorities === undefined ? [] : ['-d', `openssl.cafile=${authorities}`]),
        join(WHMCS_FOLDER, 'tests/call.php'),
      ],
      JSON.stringify({ action, ...given, params: { ...server, ...params } }),
    );
    const answer = JSON.parse(output) as ModuleAnswer;
    const shown = JSON.stringify({ ...answer, log: answer.log.map(({ replaceVars: _masked, ...entry }) => entry) });
    if (this.token !== '' && shown.includes(this.token)) throw new Error(`The token is in the answer: ${shown}`);
    if (this.token !== '' && answer.log.some(({ replaceVars }) => !replaceVars.includes(this.token))) {
      throw new Error('WHMCS was not asked to mask the token.');
    }
    return answer;
  }
}

/** A service of a shop. It keeps its properties from call to call. */
export class WhmcsService {
  properties: Record<string, string> = {};
  log: LogEntry[] = [];

  constructor(
    private readonly shop: WhmcsShop,
    readonly params: Record<string, unknown>,
  ) {}

  /** @returns the answer of the function; its calls of the module log are in `log`. */
  async run(action: string, options: CallOptions = {}): Promise<unknown> {
    const answer = await this.shop.call(action, this.params, { properties: this.properties, ...options });
    this.properties = answer.properties;
    this.log = answer.log;
    return answer.result;
  }
}

/** @returns the standard output. @throws Error when PHP failed or wrote anything to its standard error. */
export async function runPhp(args: string[], input = ''): Promise<string> {
  const child = spawn(PHP, ['-d', 'display_errors=stderr', ...args], { stdio: 'pipe' });
  let [output, errors] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  // A script that ends before it has read its input closes it (EPIPE); how it ended is judged below.
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0 || errors !== '') throw new Error(`PHP ended with ${code}: ${errors}${output}`);
  return output;
}

/** The sentence of any function's answer; null when it succeeded. */
export function sentenceOf(result: unknown): string | null {
  if (typeof result === 'string') return result === 'success' ? null : result;
  const { success, error, errorMsg } = result as { success: boolean; error?: string; errorMsg?: string };
  return success ? null : (errorMsg ?? error ?? '');
}
