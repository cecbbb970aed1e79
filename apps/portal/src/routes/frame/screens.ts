import {
  IconActivity,
  IconBuildingCommunity,
  IconClipboardList,
  IconDevices,
  IconHome,
  IconKey,
  IconLink,
  IconMailOff,
  IconMailSearch,
  IconPalette,
  IconReceipt,
  IconSend,
  IconSettingsAutomation,
  IconStack2,
  IconTrash,
  IconWebhook,
  IconWorld,
} from '@tabler/icons-react';
import { isOperator, isWholePartner, may } from '../../api/caller.js';
import type { Caller, Operation } from '../../api/shapes.js';

const everyone = () => true;
const those =
  (...operations: Operation[]) =>
  (caller: Caller) =>
    operations.some((operation) => may(caller, operation));

/** The screens of the menu, which Ctrl-K finds too, and who has them. */
const SCREENS = [
  { to: '/', label: 'Home', Icon: IconHome, isFor: everyone },
  { to: '/domains', label: 'Domains', Icon: IconWorld, isFor: everyone },
  { to: '/messages', label: 'Messages', Icon: IconMailSearch, isFor: those('getMessages') },
  { to: '/events', label: 'Events', Icon: IconActivity, isFor: those('getEvents') },
  {
    to: '/suppressions',
    label: 'Suppressions',
    Icon: IconMailOff,
    // A key that is limited to some domains has them on the screen of each.
    isFor: (caller: Caller) => isWholePartner(caller) && may(caller, 'getSuppressions'),
  },
  { to: '/keys', label: 'Keys', Icon: IconKey, isFor: those('getMeKeys', 'getApiKeys') },
  { to: '/links', label: 'Links', Icon: IconLink, isFor: those('getPortalLinks') },
  { to: '/brand', label: 'Brand', Icon: IconPalette, isFor: those('getMeBrand') },
  { to: '/webhooks', label: 'Webhooks', Icon: IconWebhook, isFor: those('getWebhookEndpoints') },
  { to: '/usage', label: 'Usage', Icon: IconReceipt, isFor: those('getUsage') },
  { to: '/deleted', label: 'Deleted', Icon: IconTrash, isFor: those('getDeleted') },
  { to: '/sessions', label: 'Sessions', Icon: IconDevices, isFor: everyone },
  { to: '/operator/partners', label: 'Partners', Icon: IconBuildingCommunity, isFor: those('getPartners') },
  { to: '/operator/plans', label: 'Plans and tiers', Icon: IconStack2, isFor: isOperator },
  { to: '/operator/jobs', label: 'Jobs', Icon: IconSettingsAutomation, isFor: those('getJobs') },
  { to: '/operator/relay', label: 'Relay', Icon: IconSend, isFor: those('getRelay') },
  { to: '/operator/audit', label: 'Audit', Icon: IconClipboardList, isFor: those('getAudit') },
] as const;

export function screensOf(caller: Caller) {
  return SCREENS.filter(({ isFor }) => isFor(caller));
}
