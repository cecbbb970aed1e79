import type { components, operations } from '@mailstead/client/generated/api-types';

type Schemas = components['schemas'];
type Query<Name extends keyof operations> = NonNullable<operations[Name]['parameters']['query']>;

/** What the API takes, under its own names. */
export type Bodies = Schemas;

// The rows of the API under the names that the screens use.

type WholeDomain = Schemas['DomainDetailsResponse'];
/** A process of the former release answers without the state, and what is missing. @until 5.3 */
export type Domain = Omit<WholeDomain, 'state' | 'missing_dns'> & Partial<Pick<WholeDomain, 'state' | 'missing_dns'>>;
export type DomainState = WholeDomain['state'];
/** The domains that need someone for one reason: how many, and the first ones. */
export type Needing = Schemas['AttentionResponse'];
export type FirstSteps = Schemas['FirstStepsResponse'];
export type RelayStatus = Schemas['RelayStatusResponse'];
/** A process of the former release answers without hosts in front of the service. @until 5.3 */
export type DnsCheck = Omit<Schemas['DnsCheckResponse'], 'front_hosts'> &
  Partial<Pick<Schemas['DnsCheckResponse'], 'front_hosts'>>;
export type DnsCheckRow = Schemas['DnsCheckRow'];
/** A DNS record as people enter it where the DNS of a domain is kept. */
export type RecordToPublish = Schemas['RecordToPublishResponse'];
export type Event = Schemas['EventResponse'];
/** What a domain used in a month under one partner and plan. */
export type UsageRow = Schemas['UsageRowResponse'];
/** One day of outbound mail. */
export type OutboundDay = Schemas['OutboundDayResponse'];
/** The name of an operation of the API, as `may` of `GET /me` has it. */
export type Operation = keyof operations;
/** A cause of the suspension of a domain. */
export type SuspensionCause = NonNullable<Schemas['SuspensionBody']['cause']>;
/** Who asks: `GET /me`. */
export type Caller = Schemas['MeResponse'];
export type Session = Schemas['CurrentSessionResponse'];

/** Who one will be with the code of a link: the operator when it is of no kind. */
export type CodePreview = Schemas['CodePreviewResponse'];
/** What customers of a partner see of it. */
export type ShownBrand = Schemas['ShownBrandResponse'];
/** The brand as the partner and operators see it. */
export type Brand = Schemas['BrandResponse'];
export type Mailbox = Schemas['MailboxResponse'];
export type MailboxDetails = Schemas['MailboxDetailsResponse'];
export type MailSettings = Schemas['MailSettingsResponse'];
export type Alias = Schemas['AliasResponse'];
export type Outbound = Schemas['OutboundStateResponse'];
export type Sender = Schemas['SenderResponse'];
type WholeVerdict = Schemas['ExplainedVerdictResponse'];
type WholeCause = WholeVerdict['causes'][number];
/**
 * Whether mail goes out now, and what explains it. A process of the former release answers without the limit, the
 * counts and the message. @until 5.3
 */
export type Verdict = Omit<WholeVerdict, 'causes' | 'limit'> &
  Partial<Pick<WholeVerdict, 'limit'>> & {
    causes: (Omit<WholeCause, 'counts' | 'message'> & Partial<Pick<WholeCause, 'counts' | 'message'>>)[];
  };
/** Whether mail comes in now. */
export type Incoming = Schemas['IncomingResponse'];
export type Bounce = Schemas['BounceResponse'];
export type Deleted = Schemas['DeletedResponse'];
export type LeftOut = Schemas['LeftOutResponse'];
export type ApiKey = Schemas['ApiKeyResponse'];
export type PortalLink = Schemas['PortalLinkResponse'];
/** A link whose address is shown when it is made, and then never again. */
export type CreatedPortalLink = Schemas['CreatedPortalLinkResponse'];
/** An endpoint that events are pushed to. */
export type Webhook = Schemas['WebhookEndpointResponse'];
/** An endpoint with its secret. */
export type NewWebhook = Schemas['NewWebhookEndpointResponse'];
export type WebhookAttempt = Schemas['WebhookAttemptResponse'];
/** How a test ended. */
export type WebhookProbe = Schemas['ProbeResponse'];
export type Redelivery = Schemas['RedeliveryResponse'];
/** What became of a message for one recipient. */
export type Message = Schemas['MessageResponse'];
export type MessageWithSteps = Schemas['MessageWithStepsResponse'];
/** An address to which a domain, or a whole partner, does not send. */
export type Suppression = Schemas['SuppressionResponse'];
export type SuppressionMode = Schemas['SuppressionModeResponse'];
export type OpenSession = Schemas['SessionResponse'];
export type Partner = Schemas['PartnerResponse'];
/** The tenant of a partner at the relay provider. */
export type PartnerRelay = Schemas['PartnerRelayResponse'];
/** The account at the relay provider. */
export type RelayState = Schemas['RelayStateResponse'];
export type Plan = Schemas['PlanRow'];
export type Tier = Schemas['TierResponse'];
export type Job = Schemas['JobResponse'];
export type AuditRow = Schemas['AuditResponse'];

/** The filters of the list of domains. */
export type DomainFilters = Query<'getDomains'>;
/** The filters of the feed of events. */
export type EventFilters = Query<'getEvents'>;
/** The filters of the audit log. */
export type AuditFilters = Query<'getAudit'>;
/** The filters of the list of messages. */
export type MessageFilters = Omit<Query<'getMessages'>, 'limit' | 'after'>;
/** The filters of the list of partners. */
export type PartnerFilters = Pick<Query<'getPartners'>, 'q' | 'state'>;
/** The filters of the list of suppressed addresses. */
export type SuppressionFilters = Pick<Query<'getSuppressions'>, 'domain' | 'q' | 'reason' | 'partner_ref'>;
