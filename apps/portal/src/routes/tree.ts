import { createRootRouteWithContext, createRoute } from '@tanstack/react-router';
import { speakToReader } from '../texts/speak.js';
import type { RouterContext } from './context.js';
import { domainsSearch } from './domains/domains-search.js';
import { enterSearch } from './enter/enter-search.js';
import { eventsSearch } from './events/events-search.js';
import { Frame } from './frame/frame.js';
import { requireSession } from './frame/require-session.js';
import { viewSearch } from './frame/view-search.js';
import { InLanguage } from './in-language.js';
import { messagesSearch } from './messages/messages-search.js';
import { auditSearch } from './operator/audit/audit-search.js';
import { partnersSearch } from './operator/partners/partners-search.js';
import { screen } from './screen.js';
import { suppressionsSearch } from './suppressions/suppressions-search.js';
import { usageSearch } from './usage/usage-search.js';

// The addresses of the portal, below /portal. Each screen is a chunk of its own, in the folder of its noun.

const OPERATORS = { isOperators: true };
const FIRST = { isFirst: true };

const root = createRootRouteWithContext<RouterContext>()({ component: InLanguage });

const enter = createRoute({
  getParentRoute: () => root,
  path: '/enter',
  validateSearch: enterSearch,
  beforeLoad: () => speakToReader(),
  component: screen(() => import('./enter/enter-page.js'), 'EnterPage', FIRST),
});

/** Everything behind the door. */
const frame = createRoute({
  getParentRoute: () => root,
  id: 'in',
  validateSearch: viewSearch.validate,
  search: { middlewares: [viewSearch.keep] },
  beforeLoad: requireSession,
  component: Frame,
});

const home = createRoute({
  getParentRoute: () => frame,
  path: '/',
  component: screen(() => import('./home/home-page.js'), 'HomePage', FIRST),
});

const domains = createRoute({
  getParentRoute: () => frame,
  path: '/domains',
  validateSearch: domainsSearch,
  component: screen(() => import('./domains/domains-page.js'), 'DomainsPage'),
});
const addDomains = createRoute({
  getParentRoute: () => frame,
  path: '/domains/add',
  component: screen(() => import('./domains/add-domains-page.js'), 'AddDomainsPage'),
});

const domain = createRoute({
  getParentRoute: () => frame,
  path: '/domains/$domain',
  component: screen(() => import('./domain/domain-frame.js'), 'DomainFrame'),
});
const overview = createRoute({
  getParentRoute: () => domain,
  path: '/',
  component: screen(() => import('./domain/overview/overview-page.js'), 'OverviewPage'),
});
const dns = createRoute({
  getParentRoute: () => domain,
  path: '/dns',
  component: screen(() => import('./domain/dns/dns-page.js'), 'DnsPage'),
});
const mailboxes = createRoute({
  getParentRoute: () => domain,
  path: '/mailboxes',
  component: screen(() => import('./domain/mailboxes/mailboxes-page.js'), 'MailboxesPage'),
});
const mailbox = createRoute({
  getParentRoute: () => domain,
  path: '/mailboxes/$email',
  component: screen(() => import('./domain/mailboxes/mailbox-page.js'), 'MailboxPage'),
});
const aliases = createRoute({
  getParentRoute: () => domain,
  path: '/aliases',
  component: screen(() => import('./domain/aliases/aliases-page.js'), 'AliasesPage'),
});
const sending = createRoute({
  getParentRoute: () => domain,
  path: '/sending',
  component: screen(() => import('./domain/sending/sending-page.js'), 'SendingPage'),
});
const history = createRoute({
  getParentRoute: () => domain,
  path: '/history',
  component: screen(() => import('./domain/history/history-page.js'), 'HistoryPage'),
});
const domainMessages = createRoute({
  getParentRoute: () => domain,
  path: '/messages',
  validateSearch: messagesSearch,
  component: screen(() => import('./domain/messages/domain-messages-page.js'), 'DomainMessagesPage'),
});
const domainMessage = createRoute({
  getParentRoute: () => domain,
  path: '/messages/$message',
  component: screen(() => import('./domain/messages/domain-message-page.js'), 'DomainMessagePage'),
});
const settings = createRoute({
  getParentRoute: () => domain,
  path: '/settings',
  component: screen(() => import('./domain/settings/settings-page.js'), 'SettingsPage'),
});

const messages = createRoute({
  getParentRoute: () => frame,
  path: '/messages',
  validateSearch: messagesSearch,
  component: screen(() => import('./messages/messages-page.js'), 'MessagesPage'),
});
const message = createRoute({
  getParentRoute: () => frame,
  path: '/messages/$message',
  component: screen(() => import('./messages/message-page.js'), 'MessagePage'),
});
const suppressions = createRoute({
  getParentRoute: () => frame,
  path: '/suppressions',
  validateSearch: suppressionsSearch,
  component: screen(() => import('./suppressions/suppressions-page.js'), 'SuppressionsPage'),
});
const keys = createRoute({
  getParentRoute: () => frame,
  path: '/keys',
  component: screen(() => import('./keys/keys-page.js'), 'KeysPage'),
});
const brand = createRoute({
  getParentRoute: () => frame,
  path: '/brand',
  component: screen(() => import('./brand/brand-page.js'), 'BrandPage'),
});
const links = createRoute({
  getParentRoute: () => frame,
  path: '/links',
  component: screen(() => import('./links/links-page.js'), 'LinksPage'),
});
const webhooks = createRoute({
  getParentRoute: () => frame,
  path: '/webhooks',
  component: screen(() => import('./webhooks/webhooks-page.js'), 'WebhooksPage'),
});
const webhook = createRoute({
  getParentRoute: () => frame,
  path: '/webhooks/$webhook',
  component: screen(() => import('./webhooks/webhook-page.js'), 'WebhookPage'),
});
const sessions = createRoute({
  getParentRoute: () => frame,
  path: '/sessions',
  component: screen(() => import('./sessions/sessions-page.js'), 'SessionsPage'),
});
const events = createRoute({
  getParentRoute: () => frame,
  path: '/events',
  validateSearch: eventsSearch,
  component: screen(() => import('./events/events-page.js'), 'EventsPage'),
});
const usage = createRoute({
  getParentRoute: () => frame,
  path: '/usage',
  validateSearch: usageSearch,
  component: screen(() => import('./usage/usage-page.js'), 'UsagePage'),
});
const deleted = createRoute({
  getParentRoute: () => frame,
  path: '/deleted',
  component: screen(() => import('./deleted/deleted-page.js'), 'DeletedPage'),
});

const partners = createRoute({
  getParentRoute: () => frame,
  path: '/operator/partners',
  validateSearch: partnersSearch,
  component: screen(() => import('./operator/partners/partners-page.js'), 'PartnersPage', OPERATORS),
});
/** Not below the partners: a partner may be called `new` or `add`. */
const addPartner = createRoute({
  getParentRoute: () => frame,
  path: '/operator/add-partner',
  component: screen(() => import('./operator/partners/add-partner-page.js'), 'AddPartnerPage', OPERATORS),
});
const partner = createRoute({
  getParentRoute: () => frame,
  path: '/operator/partners/$partner',
  component: screen(() => import('./operator/partners/partner-page.js'), 'PartnerPage', OPERATORS),
});
const plans = createRoute({
  getParentRoute: () => frame,
  path: '/operator/plans',
  component: screen(() => import('./operator/plans/plans-page.js'), 'PlansPage', OPERATORS),
});
const jobs = createRoute({
  getParentRoute: () => frame,
  path: '/operator/jobs',
  component: screen(() => import('./operator/jobs/jobs-page.js'), 'JobsPage', OPERATORS),
});
const relay = createRoute({
  getParentRoute: () => frame,
  path: '/operator/relay',
  component: screen(() => import('./operator/relay/relay-page.js'), 'RelayPage', OPERATORS),
});
const audit = createRoute({
  getParentRoute: () => frame,
  path: '/operator/audit',
  validateSearch: auditSearch,
  component: screen(() => import('./operator/audit/audit-page.js'), 'AuditPage', OPERATORS),
});

export const routeTree = root.addChildren([
  enter,
  frame.addChildren([
    home,
    domains,
    addDomains,
    domain.addChildren([
      overview,
      dns,
      mailboxes,
      mailbox,
      aliases,
      sending,
      domainMessages,
      domainMessage,
      history,
      settings,
    ]),
    messages,
    message,
    suppressions,
    keys,
    brand,
    links,
    webhooks,
    webhook,
    sessions,
    events,
    usage,
    deleted,
    partners,
    addPartner,
    partner,
    plans,
    jobs,
    relay,
    audit,
  ]),
]);
