import type { MailStackSettings } from '../settings/mail-stack-settings.js';
import { examineApi } from './examine-api.js';
import { examineCertificate } from './examine-certificate.js';
import { examineDatabase } from './examine-database.js';
import { examineDns } from './examine-dns.js';
import { examineDovecot } from './examine-dovecot.js';
import { examineDovecotVersion } from './examine-dovecot-version.js';
import { examineHolds } from './examine-holds.js';
import { examineOutages } from './examine-outages.js';
import { examinePostfix } from './examine-postfix.js';
import { examineQueues } from './examine-queues.js';
import { examineRelays } from './examine-relays.js';
import { examineSessions } from './examine-sessions.js';
import type { Finding } from './finding.js';
import { examineMessages } from './messages/examine-messages.js';
import { examineWiring } from './wiring/examine-wiring.js';

/**
 * Checks a running installation. Changes nothing: its requests and messages use a domain that cannot exist. The
 * messages of the doctor's own mailbox count for its domain.
 */
export async function examine(settings: MailStackSettings): Promise<Finding[]> {
  const parts = [
    examineDatabase,
    examineCertificate,
    examinePostfix,
    async (each: MailStackSettings) => await examineMessages(each),
    examineQueues,
    async (each: MailStackSettings) => await examineHolds(each),
    async (each: MailStackSettings) => await examineOutages(each),
    examineDovecot,
    async (each: MailStackSettings) => await examineSessions(each),
    examineDovecotVersion,
    examineWiring,
    examineRelays,
    examineApi,
    examineDns,
  ];
  const findings = await Promise.all(parts.map(async (part) => await part(settings)));
  return findings.flat();
}
