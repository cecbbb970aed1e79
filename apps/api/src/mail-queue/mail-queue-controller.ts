import { parseDomainName } from '@mailstead/core/domains/domain-name';
import { mapKnown } from '@mailstead/core/map-known';
import { needs } from '@mailstead/core/needs';
import { MailStopsReader } from '@mailstead/core/outbound/mail-stops';
import { ReportWaitingMail, type WaitingMail } from '@mailstead/core/outbound/report-waiting-mail';
import { RestoreGate } from '@mailstead/core/recovery/restore-gate';
import { type EveryFieldOf, onlyField } from '../http/body-fields.js';
import { type Controller, type Route, route } from '../http/route.js';
import {
  QueuedDomainResponse,
  QueuedDomainsBody,
  WaitingMailBody,
  type WaitingMailItem,
  WaitingMailResponse,
} from './mail-queue-dto.js';

const BULK_LIMIT_BYTES = 1_048_576;

/** For the program that holds queued mail of suspended domains on a mail server. */
@needs(MailStopsReader, ReportWaitingMail, RestoreGate)
export class MailQueueController implements Controller {
  constructor(
    private readonly stops: MailStopsReader,
    private readonly reportWaitingMail: ReportWaitingMail,
    private readonly gate: RestoreGate,
  ) {}

  routes(): Route[] {
    return [
      route({
        method: 'post',
        path: '/mail-queue/looks',
        access: 'master',
        scopes: ['policy'],
        summary: 'Tell which domains stop queued mail by their suspension; one result for each domain, in order',
        body: QueuedDomainsBody,
        bodyLimitBytes: BULK_LIMIT_BYTES,
        response: [QueuedDomainResponse],
        run: async ({ body }) => {
          // A suspension of the window is not in the restored database: its held mail would be released.
          this.gate.refuse();
          const domains = onlyField(body, 'domains');
          const names = domains.map((domain) => parseDomainName(domain));
          const stops = await this.stops.ofDomains(names.filter((name) => name !== null));
          return domains.map((domain, index) => {
            const found = stops.get(names[index] ?? '');
            return {
              domain,
              hosted: found?.hosted ?? false,
              sending_waits: found?.sendingWaits ?? false,
              receiving_waits: found?.receivingWaits ?? false,
            };
          });
        },
      }),
      route({
        method: 'post',
        path: '/mail-queue/waiting',
        access: 'master',
        scopes: ['policy'],
        summary: 'Report mail that waits because of a suspension; after four days it is an event',
        body: WaitingMailBody,
        bodyLimitBytes: BULK_LIMIT_BYTES,
        response: [WaitingMailResponse],
        run: async ({ body }) => {
          const items = onlyField(body, 'items');
          const marked = await mapKnown(items.map(toWaiting), (known) => this.reportWaitingMail.execute(known), false);
          return items.map(({ domain }, index) => ({ domain, attention: marked[index] ?? false }));
        },
      }),
    ];
  }
}

function toWaiting({ domain: text, messages, waiting_seconds: waitingSeconds }: WaitingMailItem): WaitingMail | null {
  const domain = parseDomainName(text);
  if (domain === null) return null;
  return { domain, messages, waitingSeconds } satisfies EveryFieldOf<WaitingMailItem, WaitingMail>;
}
