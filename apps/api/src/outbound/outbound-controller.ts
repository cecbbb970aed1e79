import { Clock } from '@mailstead/core/clock';
import { parseDomainName } from '@mailstead/core/domains/domain-name';
import { AppError, invalidField } from '@mailstead/core/errors';
import { comparedAddress } from '@mailstead/core/mailboxes/address';
import { mapKnown } from '@mailstead/core/map-known';
import { needs } from '@mailstead/core/needs';
import { type Actor, scopeOf } from '@mailstead/core/operators/actor';
import { CheckSenders } from '@mailstead/core/outbound/check-senders';
import { ConfigureOutbound } from '@mailstead/core/outbound/configure-outbound';
import { CountOutbound } from '@mailstead/core/outbound/count-outbound';
import { CountTransfer } from '@mailstead/core/outbound/count-transfer';
import type { Increment, Refusal, TransferIncrement } from '@mailstead/core/outbound/outbound-batch';
import { OutboundReader } from '@mailstead/core/outbound/outbound-reader';
import { type Preview, PreviewOutbound, type PreviewQuery } from '@mailstead/core/outbound/preview-outbound';
import { ReadOutbound } from '@mailstead/core/outbound/read-outbound';
import { parseRecipient } from '@mailstead/core/outbound/recipients';
import { parseSuppressedAddress } from '@mailstead/core/suppressions/suppression-address';
import { DomainLookup } from '../domains/domain-lookup.js';
import { type EveryFieldOf, onlyField } from '../http/body-fields.js';
import { listed, readRanked } from '../http/paging.js';
import { domainNameParam } from '../http/parse.js';
import { type Controller, type Route, route } from '../http/route.js';
import { fingerprintOf } from './fingerprint-of.js';
import { IncrementResponse } from './increment-dto.js';
import {
  IncrementBody,
  type IncrementItem,
  IncrementsBody,
  OutboundChangeBody,
  type PreviewItem,
  PreviewsBody,
  PreviewVerdictResponse,
  RankedQuery,
  TransferCountResponse,
  type TransferItem,
  TransfersBody,
  VerdictResponse,
} from './outbound-dto.js';
import { HistoryQuery, HistoryResponse } from './outbound-history-dto.js';
import { SenderCheckResponse, SenderChecksBody, SenderResponse } from './outbound-senders-dto.js';
import { OutboundStateResponse } from './outbound-state-dto.js';
import {
  presentHistory,
  presentIncrement,
  presentOutbound,
  presentOutcome,
  presentPreview,
  presentSender,
  presentTransferCount,
  toOutboundChange,
} from './present-outbound.js';
import { senderOf, toClaim } from './read-senders.js';
import { sessionOf } from './sending-session.js';
import { verdictFields, verdictsFields } from './verdict-log.js';

const BULK_LIMIT_BYTES = 1_048_576;
const SENDERS_PER_READ = 1_000;
const UNKNOWN: Refusal = { refused: 'domain_not_found' };
const NOT_OURS: Preview = {
  verdict: UNKNOWN,
  countsAs: 1,
  headroom: 0,
  eachRecipient: false,
  suppressedSince: null,
};

@needs(
  DomainLookup,
  OutboundReader,
  Clock,
  ReadOutbound,
  ConfigureOutbound,
  CountOutbound,
  CountTransfer,
  PreviewOutbound,
  CheckSenders,
)
export class OutboundController implements Controller {
  constructor(
    private readonly domainLookup: DomainLookup,
    private readonly reader: OutboundReader,
    private readonly clock: Clock,
    private readonly readOutbound: ReadOutbound,
    private readonly configureOutbound: ConfigureOutbound,
    private readonly countOutbound: CountOutbound,
    private readonly countTransfer: CountTransfer,
    private readonly previewOutbound: PreviewOutbound,
    private readonly checkSenders: CheckSenders,
  ) {}

  routes(): Route[] {
    return [
      route({
        method: 'post',
        path: '/domains/:domain_name/outbound/increment',
        access: 'master',
        scopes: ['policy'],
        summary: 'Count a message and return the verdict',
        errors: ['increment_id_reused', 'counter_overflow'],
        body: IncrementBody,
        bodyOptional: true,
        response: VerdictResponse,
        run: async ({ params, body, addToLog }) => {
          const domain = domainNameParam(params.domain_name);
          const verdict = presentOutcome(domain, await this.countOutbound.execute(toIncrement(domain, body, '')));
          addToLog(verdictFields(verdict, body.sender));
          return verdict;
        },
      }),
      route({
        method: 'get',
        path: '/domains/:domain_name/outbound',
        access: 'client',
        scopes: ['policy'],
        summary: "Read a domain's outbound limits, counters and bounces",
        response: OutboundStateResponse,
        run: async ({ actor, params }) =>
          presentOutbound(await this.readOutbound.execute(actor, domainNameParam(params.domain_name))),
      }),
      route({
        method: 'put',
        path: '/domains/:domain_name/outbound',
        access: 'client',
        summary: 'Change the outbound settings of a domain; a client may only set lower limits',
        errors: ['outbound_fields_forbidden', 'outbound_limit_above_operator'],
        body: OutboundChangeBody,
        bodyOptional: true,
        response: OutboundStateResponse,
        run: async ({ actor, params, body }) => {
          const name = domainNameParam(params.domain_name);
          await this.configureOutbound.execute(actor, name, toOutboundChange(body));
          return presentOutbound(await this.readOutbound.execute(actor, name));
        },
      }),
      route({
        method: 'post',
        path: '/outbound/increments',
        access: 'master',
        scopes: ['policy'],
        summary: 'Count many messages and return one verdict for each, in order',
        body: IncrementsBody,
        bodyLimitBytes: BULK_LIMIT_BYTES,
        response: [IncrementResponse],
        run: async ({ body, addToLog }) => {
          const items = onlyField(body, 'items');
          const increments = items.map(toKnownIncrement);
          const outcomes = await mapKnown(increments, (known) => this.countOutbound.executeAll(known), UNKNOWN);
          const verdicts = items.map(({ domain }, index) => presentIncrement(domain, outcomes[index] ?? UNKNOWN));
          addToLog(verdictsFields(items, verdicts));
          return verdicts;
        },
      }),
      route({
        method: 'post',
        path: '/outbound/looks',
        access: 'master',
        scopes: ['policy'],
        summary: 'Return the verdict for one more recipient without counting, for each item',
        body: PreviewsBody,
        bodyLimitBytes: BULK_LIMIT_BYTES,
        response: [PreviewVerdictResponse],
        run: async ({ body, addToLog }) => {
          const items = onlyField(body, 'items');
          const queries = items.map(toPreviewQuery);
          const previews = await mapKnown(queries, (known) => this.previewOutbound.execute(known), NOT_OURS);
          const verdicts = items.map(({ domain }, index) => presentPreview(domain, previews[index] ?? NOT_OURS));
          addToLog(verdictsFields(items, verdicts));
          return verdicts;
        },
      }),
      route({
        method: 'post',
        path: '/outbound/senders/check',
        access: 'master',
        scopes: ['policy'],
        summary: 'Check whether logins may send from addresses; return one result for each item, in order',
        body: SenderChecksBody,
        bodyLimitBytes: BULK_LIMIT_BYTES,
        response: [SenderCheckResponse],
        run: async ({ body }) => {
          const items = onlyField(body, 'items');
          const allowed = await this.checkSenders.execute(items.map(toClaim));
          return items.map(({ login, address }, index) => ({ login, address, allowed: allowed[index] ?? false }));
        },
      }),
      route({
        method: 'get',
        path: '/domains/:domain_name/outbound/senders',
        access: 'client',
        summary: "List today's senders, highest count first",
        description: 'A key that is limited to some domains sees the senders of these domains.',
        query: RankedQuery,
        response: [SenderResponse],
        run: async ({ actor, params, query }) => {
          const { id } = await this.domainLookup.find(actor, params.domain_name);
          const now = this.clock.now();
          return listed(
            {
              start: query.after ?? 0,
              read: readRanked(
                (from, limit) => this.reader.senders(id, scopeOf(actor), { from, limit }, now),
                query.limit === undefined ? SENDERS_PER_READ : query.limit + 1,
              ),
              positionAfter: (_, from, index) => from + index + 1,
              atMost: query.limit ?? null,
            },
            presentSender,
          );
        },
      }),
      route({
        method: 'get',
        path: '/domains/:domain_name/outbound/history',
        access: 'client',
        summary: 'List the frozen periods of a domain, newest first',
        query: HistoryQuery,
        response: [HistoryResponse],
        errors: ['master_token_required'],
        run: async ({ actor, params, query }) => {
          const id =
            query.deleted === undefined
              ? (await this.domainLookup.find(actor, params.domain_name)).id
              : await this.deletedId(actor, params.domain_name);
          return listed(
            {
              start: query.after ?? Number.MAX_SAFE_INTEGER,
              read: (before, limit) => this.reader.history(id, { before, limit }),
              positionAfter: (row): number => row.id,
              atMost: query.limit ?? null,
            },
            presentHistory,
          );
        },
      }),
      route({
        method: 'post',
        path: '/transfer/increments',
        access: 'master',
        scopes: ['policy'],
        summary: 'Count received or read bytes against the transfer caps of their domains',
        body: TransfersBody,
        bodyLimitBytes: BULK_LIMIT_BYTES,
        response: [TransferCountResponse],
        run: async ({ body }) => {
          const items = onlyField(body, 'items');
          const transfers = items.map(toTransfer);
          const outcomes = await mapKnown(transfers, (known) => this.countTransfer.execute(known), UNKNOWN);
          return items.map(({ domain }, index) => presentTransferCount(domain, outcomes[index] ?? UNKNOWN));
        },
      }),
    ];
  }

  /**
   * The id of the history of the last deleted domain of a name. @throws AppError master_token_required,
   * domain_not_found
   */
  private async deletedId(actor: Actor, name: string): Promise<number> {
    if (actor.kind === 'client') throw new AppError('master_token_required');
    const id = await this.reader.deletedCounters(domainNameParam(name));
    if (id === null) throw new AppError('domain_not_found');
    return id;
  }
}

type IncrementFields = Omit<IncrementItem, 'domain'>;

/** @param path prefix of the field names in errors, such as `items[3].`; empty for a body without a list. */
function toIncrement(domain: Increment['domain'], body: IncrementFields, path: string): Increment {
  const { recipients, forwarded = false, record: alreadySent = false, receipt = false } = body;
  const sender = senderOf(body, path);
  const claims = body.claims?.map(comparedAddress) ?? [];
  if (claims.length > 0 && sender === null) throw invalidField(`${path}claims`, 'must be left out without sender');
  if (receipt && (sender === null || recipients === undefined)) {
    throw invalidField(`${path}receipt`, 'must be left out without sender and recipients');
  }
  return {
    domain,
    count: body.count ?? (recipients === undefined ? 1 : 0),
    bytes: body.bytes ?? 0,
    recipients: recipients?.map(parseRecipient) ?? null,
    claims: alreadySent ? [] : claims,
    sender,
    session: alreadySent ? null : sessionOf(body, sender, path),
    id: body.id === undefined ? null : `${forwarded ? 'forwarded' : 'message'}:${body.id}`,
    fingerprint: fingerprintOf(
      body,
      claims.filter((claim) => claim !== sender),
    ),
    alreadySent,
    forwarded,
    receipt,
  } satisfies EveryFieldOf<IncrementFields, Increment, 'record' | 'session_age_ms'>;
}

function toKnownIncrement(item: IncrementItem, index: number): Increment | null {
  const domain = parseDomainName(item.domain);
  return domain === null ? null : toIncrement(domain, item, `items[${index}].`);
}

function toPreviewQuery(item: PreviewItem, index: number): PreviewQuery | null {
  const path = `items[${index}].`;
  const name = parseDomainName(item.domain);
  if (name === null) return null;
  const { recipient, recipient_domain: recipientDomain, forwarded = false } = item;
  if (recipient !== undefined && recipientDomain !== undefined) {
    throw invalidField(`${path}recipient_domain`, 'must be left out when recipient is present');
  }
  const sender = senderOf(item, path);
  return {
    domain: name,
    sender,
    session: sessionOf(item, sender, path),
    recipient: recipient === undefined ? null : parseRecipient(recipient),
    address: recipient === undefined ? null : parseSuppressedAddress(recipient),
    recipientDomain: recipientDomain === undefined ? null : parseRecipient(`@${recipientDomain}`).domain,
    forwarded,
  } satisfies EveryFieldOf<PreviewItem, PreviewQuery, 'session_age_ms'>;
}

function toTransfer({ domain: text, bytes, direction = 'in', id }: TransferItem): TransferIncrement | null {
  const domain = parseDomainName(text);
  if (domain === null) return null;
  const transferId = id === undefined ? null : `transfer:${id}`;
  type Target = Omit<TransferIncrement, 'recipients' | 'claims' | 'receipt'>;
  return { domain, bytes, direction, sender: null, id: transferId } satisfies EveryFieldOf<TransferItem, Target>;
}
