import { createRootRouteWithContext, createRoute, lazyRouteComponent } from '@tanstack/react-router';
import type { RouterContext } from './context.js';
import { domainsSearch } from './domains/domains-search.js';
import { enterSearch } from './enter/enter-search.js';
import { eventsSearch } from './events/events-search.js';
import { Frame } from './frame/frame.js';
import { requireSession } from './frame/require-session.js';
import { viewSearch } from './frame/view-search.js';
import { auditSearch } from './operator/audit/audit-search.js';
import { usageSearch } from './usage/usage-search.js';

// The addresses of the portal, below /portal. Each screen is a chunk of its own, in the folder of its noun.

const root = createRootRouteWithContext<RouterContext>()();

const enter = createRoute({
  getParentRoute: () => root,
  path: '/enter',
  validateSearch: enterSearch,
  component: lazyRouteComponent(() => import('./enter/enter-page.js'), 'EnterPage'),
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
  component: lazyRouteComponent(() => import('./home/home-page.js'), 'HomePage'),
});

const domains = createRoute({
  getParentRoute: () => frame,
  path: '/domains',
  validateSearch: domainsSearch,
  component: lazyRouteComponent(() => import('./domains/domains-page.js'), 'DomainsPage'),
});
const addDomains = createRoute({
  getParentRoute: () => frame,
  path: '/domains/add',
  component: lazyRouteComponent(() => import('./domains/add-domains-page.js'), 'AddDomainsPage'),
});

const domain = createRoute({
  getParentRoute: () => frame,
  path: '/domains/$domain',
  component: lazyRouteComponent(() => import('./domain/domain-frame.js'), 'DomainFrame'),
});
const overview = createRoute({
  getParentRoute: () => domain,
  path: '/',
  component: lazyRouteComponent(() => import('./domain/overview/overview-page.js'), 'OverviewPage'),
});
const dns = createRoute({
  getParentRoute: () => domain,
  path: '/dns',
  component: lazyRouteComponent(() => import('./domain/dns/dns-page.js'), 'DnsPage'),
});
const mailboxes = createRoute({
  getParentRoute: () => domain,
  path: '/mailboxes',
  component: lazyRouteComponent(() => import('./domain/mailboxes/mailboxes-page.js'), 'MailboxesPage'),
});
const mailbox = createRoute({
  getParentRoute: () => domain,
  path: '/mailboxes/$email',
  component: lazyRouteComponent(() => import('./domain/mailboxes/mailbox-page.js'), 'MailboxPage'),
});
const aliases = createRoute({
  getParentRoute: () => domain,
  path: '/aliases',
  component: lazyRouteComponent(() => import('./domain/aliases/aliases-page.js'), 'AliasesPage'),
});
const sending = createRoute({
  getParentRoute: () => domain,
  path: '/sending',
  component: lazyRouteComponent(() => import('./domain/sending/sending-page.js'), 'SendingPage'),
});
const history = createRoute({
  getParentRoute: () => domain,
  path: '/history',
  component: lazyRouteComponent(() => import('./domain/history/history-page.js'), 'HistoryPage'),
});
const settings = createRoute({
  getParentRoute: () => domain,
  path: '/settings',
  component: lazyRouteComponent(() => import('./domain/settings/settings-page.js'), 'SettingsPage'),
});

const keys = createRoute({
  getParentRoute: () => frame,
  path: '/keys',
  component: lazyRouteComponent(() => import('./keys/keys-page.js'), 'KeysPage'),
});
const links = createRoute({
  getParentRoute: () => frame,
  path: '/links',
  component: lazyRouteComponent(() => import('./links/links-page.js'), 'LinksPage'),
});
const sessions = createRoute({
  getParentRoute: () => frame,
  path: '/sessions',
  component: lazyRouteComponent(() => import('./sessions/sessions-page.js'), 'SessionsPage'),
});
const events = createRoute({
  getParentRoute: () => frame,
  path: '/events',
  validateSearch: eventsSearch,
  component: lazyRouteComponent(() => import('./events/events-page.js'), 'EventsPage'),
});
const usage = createRoute({
  getParentRoute: () => frame,
  path: '/usage',
  validateSearch: usageSearch,
  component: lazyRouteComponent(() => import('./usage/usage-page.js'), 'UsagePage'),
});
const deleted = createRoute({
  getParentRoute: () => frame,
  path: '/deleted',
  component: lazyRouteComponent(() => import('./deleted/deleted-page.js'), 'DeletedPage'),
});

const partners = createRoute({
  getParentRoute: () => frame,
  path: '/operator/partners',
  component: lazyRouteComponent(() => import('./operator/partners/partners-page.js'), 'PartnersPage'),
});
const partner = createRoute({
  getParentRoute: () => frame,
  path: '/operator/partners/$partner',
  component: lazyRouteComponent(() => import('./operator/partners/partner-page.js'), 'PartnerPage'),
});
const plans = createRoute({
  getParentRoute: () => frame,
  path: '/operator/plans',
  component: lazyRouteComponent(() => import('./operator/plans/plans-page.js'), 'PlansPage'),
});
const jobs = createRoute({
  getParentRoute: () => frame,
  path: '/operator/jobs',
  component: lazyRouteComponent(() => import('./operator/jobs/jobs-page.js'), 'JobsPage'),
});
const audit = createRoute({
  getParentRoute: () => frame,
  path: '/operator/audit',
  validateSearch: auditSearch,
  component: lazyRouteComponent(() => import('./operator/audit/audit-page.js'), 'AuditPage'),
});

export const routeTree = root.addChildren([
  enter,
  frame.addChildren([
    home,
    domains,
    addDomains,
    domain.addChildren([overview, dns, mailboxes, mailbox, aliases, sending, history, settings]),
    keys,
    links,
    sessions,
    events,
    usage,
    deleted,
    partners,
    partner,
    plans,
    jobs,
    audit,
  ]),
]);
