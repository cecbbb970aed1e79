import { deadline } from '@mailstead/core/deadlines';
import type { Address } from '@mailstead/core/mailboxes/address';
import { MailboxUsage, type StoredMail } from '@mailstead/core/mailboxes/mailbox-usage';
import { boundedText } from '../bounded-text.js';
import { type DoveadmEndpoint, postDoveadm } from './post-doveadm.js';

export interface DovecotUsageOptions extends DoveadmEndpoint {
  /** The time limit of one request, milliseconds; 1,000 by default. */
  timeoutMs?: number;
}

const HTTP_OK = 200;
const KB = 1_024;
/** An answer has some 200 bytes for each quota root. */
const MAX_BYTES = 65_536;
/** sysexits.h: the user is unknown. */
const EX_NOUSER = 67;

interface QuotaRow {
  type: string;
  /** Kilobytes of STORAGE, or the count of MESSAGE. */
  value: string;
}

/**
 * Reads the usage of a mailbox through the doveadm HTTP API. Dovecot keeps it in the mailbox's index and reads no mail.
 */
export class DovecotUsage extends MailboxUsage {
  constructor(private readonly options: DovecotUsageOptions) {
    super();
  }

  override async ask(email: Address): Promise<StoredMail | 'no_mailbox' | 'no_answer'> {
    const { timeoutMs = deadline('mailboxUsage') } = this.options;
    const signal = AbortSignal.timeout(timeoutMs);
    try {
      const request = { command: 'quotaGet', parameters: { user: email } } as const;
      const response = await postDoveadm(this.options, [request], timeoutMs, signal);
      const body: unknown = JSON.parse(await boundedText(response.body, MAX_BYTES, 'Dovecot'));
      if (response.statusCode !== HTTP_OK) return 'no_answer';
      return isNoUser(body) ? 'no_mailbox' : (readQuota(body) ?? 'no_answer');
    } catch {
      // The usage is optional: the mailbox is returned without it. The doctor reports why Dovecot cannot be reached.
      return 'no_answer';
    }
  }
}

/** @param body `[["error",{"type":"exitCode","exitCode":67},"tag"]]` for a user that Dovecot does not know */
function isNoUser(body: unknown): boolean {
  const [name, error] = (Array.isArray(body) && Array.isArray(body[0]) ? body[0] : []) as [unknown, unknown];
  return name === 'error' && (error as { exitCode?: unknown } | null)?.exitCode === EX_NOUSER;
}

/**
 * @param body `[["doveadmResponse",[{"root":…,"type":"STORAGE","value":"24",…},{…"MESSAGE"…}],"tag"]]`
 * @returns null for a body of any other shape
 */
function readQuota(body: unknown): StoredMail | null {
  const [name, rows] = (Array.isArray(body) && Array.isArray(body[0]) ? body[0] : []) as [unknown, unknown];
  if (name !== 'doveadmResponse' || !Array.isArray(rows)) return null;
  const valueOf = (wanted: string) => Number((rows as QuotaRow[]).find(({ type }) => type === wanted)?.value);
  const bytes = valueOf('STORAGE') * KB;
  const messages = valueOf('MESSAGE');
  return Number.isSafeInteger(bytes) && Number.isSafeInteger(messages) ? { bytes, messages } : null;
}
