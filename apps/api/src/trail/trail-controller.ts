import { parseDomainName } from '@mailstead/core/domains/domain-name';
import { invalidField } from '@mailstead/core/errors';
import { comparedAddress } from '@mailstead/core/mailboxes/address';
import { needs } from '@mailstead/core/needs';
import type { Actor } from '@mailstead/core/operators/actor';
import { ReadTrail } from '@mailstead/core/trail/read-trail';
import { RecordTrail } from '@mailstead/core/trail/record-trail';
import type { TrailStep } from '@mailstead/core/trail/trail-step';
import { type EveryFieldOf, onlyField } from '../http/body-fields.js';
import { TRAIL_BEHIND, TRAIL_GAPS } from '../http/openapi/headers.js';
import { domainNameField } from '../http/parse.js';
import { PagedList, type ReadChunks, StreamedList, WithHeaders } from '../http/responses.js';
import { type Controller, type Route, route } from '../http/route.js';
import { timestamp } from '../http/timestamp.js';
import {
  MessageResponse,
  MessagesQuery,
  MessageWithStepsResponse,
  presentMessage,
  presentWithSteps,
  TrailBody,
  type TrailItem,
  TrailTakenResponse,
} from './trail-dto.js';

/** A thousand items with the longest texts. */
const BODY_LIMIT_BYTES = 4_194_304;

@needs(RecordTrail, ReadTrail)
export class TrailController implements Controller {
  constructor(
    private readonly recordTrail: RecordTrail,
    private readonly readTrail: ReadTrail,
  ) {}

  routes(): Route[] {
    return [
      route({
        method: 'post',
        path: '/outbound/trail',
        access: 'master',
        scopes: ['policy'],
        summary: 'Report what the mail servers did with messages; a repeat changes nothing',
        description:
          'A row is one message, recipient and direction. Its state is the highest that was reported. For the sender of mail to another partner’s domain here the row ends at `accepted`. With `TRAIL_DAYS=0` nothing is taken.',
        body: TrailBody,
        bodyLimitBytes: BODY_LIMIT_BYTES,
        response: TrailTakenResponse,
        status: 202,
        run: async ({ body }) => {
          const items = onlyField(body, 'items');
          const steps = items.map(toStep).filter((step) => step !== null);
          const { taken, dropped } = await this.recordTrail.execute(steps);
          return { taken, dropped: dropped + items.length - steps.length };
        },
      }),
      route({
        method: 'get',
        path: '/messages',
        access: 'client',
        summary: 'List what became of messages, newest first',
        description:
          'A client sees the rows that were its partner’s when they were written, master and `read` all. A key that is limited to some domains sees theirs. With `limit`, a request looks at no more than 20,000 rows: a page may have fewer rows than `limit`, or none, and still a link to the next one.',
        query: MessagesQuery,
        response: [MessageResponse],
        mayBeIncomplete: true,
        run: async ({ actor, query }) => {
          const { domain, mailbox, recipient, message_id: messageId, direction, state, since, until } = query;
          const wanted = {
            domain: domain === undefined ? undefined : domainNameField('domain', domain),
            mailbox: mailbox === undefined ? undefined : comparedAddress(mailbox),
            recipient: recipient === undefined ? undefined : comparedAddress(recipient),
            messageId,
            direction,
            state,
            since,
            until,
          };
          const { limit } = query;
          const chunks = this.readTrail.list(actor, wanted, { after: query.after ?? null, limit });
          const read: ReadChunks = async function* (chunkRows) {
            for await (const chunk of chunks(chunkRows)) yield { ...chunk, rows: chunk.rows.map(presentMessage) };
          };
          const list = limit === undefined ? new StreamedList(read) : new PagedList(read);
          return new WithHeaders(await this.standing(actor), list);
        },
      }),
      route({
        method: 'get',
        path: '/messages/:message',
        access: 'client',
        summary: 'Read what became of a message, step by step',
        response: MessageWithStepsResponse,
        mayBeIncomplete: true,
        run: async ({ actor, params }) => {
          const message = presentWithSteps(await this.readTrail.find(actor, params.message));
          return new WithHeaders(await this.standing(actor), message);
        },
      }),
    ];
  }

  private async standing(actor: Actor): Promise<Record<string, string>> {
    const { behindS, gapsSince } = await this.readTrail.standing(actor);
    return {
      ...(behindS === null ? {} : { [TRAIL_BEHIND]: String(behindS) }),
      ...(gapsSince === null ? {} : { [TRAIL_GAPS]: timestamp(gapsSince) }),
    };
  }
}

/** @returns null for a domain that cannot be here */
function toStep(item: TrailItem, index: number): TrailStep | null {
  const { host, queue_id: queueId, size, message_id: messageId, reason, detail } = item;
  if (!/^[\x21-\x7e]+$/.test(host)) throw invalidField(`items[${index}].host`, 'must have printable ASCII only');
  const domain = parseDomainName(item.domain);
  if (domain === null) return null;
  return {
    host,
    queueId,
    at: item.at,
    step: item.step,
    direction: item.direction,
    domain,
    sender: comparedAddress(item.sender),
    recipient: comparedAddress(item.recipient),
    size: size ?? null,
    messageId: messageId ?? null,
    reason: reason ?? null,
    detail: detail ?? null,
  } satisfies EveryFieldOf<TrailItem, TrailStep>;
}
