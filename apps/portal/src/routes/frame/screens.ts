import { isOperator, isWholePartner, may } from '../../api/caller.js';
import type { Caller, Operation } from '../../api/shapes.js';

const everyone = () => true;
const those =
  (...operations: Operation[]) =>
  (caller: Caller) =>
    operations.some((operation) => may(caller, operation));
// A key that is limited to some domains has them on the screen of each.
const isForSuppressions = (caller: Caller) => isWholePartner(caller) && may(caller, 'getSuppressions');

/** The screens of the menu in its order, which Ctrl-K finds too, and who has them. */
const SCREENS = [
  { to: '/', group: 'daily', label: 'Home', isFor: everyone },
  { to: '/domains', group: 'daily', label: 'Domains', isFor: everyone },
  { to: '/messages', group: 'daily', label: 'Messages', isFor: those('getMessages') },
  { to: '/events', group: 'daily', label: 'Events', isFor: those('getEvents') },
  { to: '/suppressions', group: 'daily', label: 'Suppressions', isFor: isForSuppressions },
  { to: '/usage', group: 'daily', label: 'Usage', isFor: those('getUsage') },
  { to: '/deleted', group: 'daily', label: 'Deleted', isFor: those('getDeleted') },
  { to: '/keys', group: 'access', label: 'Keys', isFor: those('getMeKeys', 'getApiKeys') },
  { to: '/links', group: 'access', label: 'Links', isFor: those('getPortalLinks') },
  { to: '/sessions', group: 'access', label: 'Sessions', isFor: everyone },
  { to: '/brand', group: 'access', label: 'Brand', isFor: those('getMeBrand') },
  { to: '/webhooks', group: 'access', label: 'Webhooks', isFor: those('getWebhookEndpoints') },
  { to: '/operator/partners', group: 'operation', label: 'Partners', isFor: those('getPartners') },
  { to: '/operator/plans', group: 'operation', label: 'Plans and tiers', isFor: isOperator },
  { to: '/operator/jobs', group: 'operation', label: 'Jobs', isFor: those('getJobs') },
  { to: '/operator/relay', group: 'operation', label: 'Relay', isFor: those('getRelay') },
  { to: '/operator/audit', group: 'operation', label: 'Audit', isFor: those('getAudit') },
] as const;

export type MenuScreen = (typeof SCREENS)[number];
export type Group = MenuScreen['group'];

export function screensOf(caller: Caller): MenuScreen[] {
  return SCREENS.filter(({ isFor }) => isFor(caller));
}
