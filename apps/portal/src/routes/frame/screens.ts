import {
  IconActivity,
  IconBuildingCommunity,
  IconClipboardList,
  IconDevices,
  IconHome,
  IconKey,
  IconLink,
  IconPalette,
  IconReceipt,
  IconSettingsAutomation,
  IconStack2,
  IconTrash,
  IconWorld,
} from '@tabler/icons-react';
import { isOperator, may } from '../../api/caller.js';
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
  { to: '/events', label: 'Events', Icon: IconActivity, isFor: those('getEvents') },
  { to: '/keys', label: 'Keys', Icon: IconKey, isFor: those('getMeKeys', 'getApiKeys') },
  { to: '/links', label: 'Links', Icon: IconLink, isFor: those('getPortalLinks') },
  { to: '/brand', label: 'Brand', Icon: IconPalette, isFor: those('getMeBrand') },
  { to: '/usage', label: 'Usage', Icon: IconReceipt, isFor: those('getUsage') },
  { to: '/deleted', label: 'Deleted', Icon: IconTrash, isFor: those('getDeleted') },
  { to: '/sessions', label: 'Sessions', Icon: IconDevices, isFor: everyone },
  { to: '/operator/partners', label: 'Partners', Icon: IconBuildingCommunity, isFor: those('getPartners') },
  { to: '/operator/plans', label: 'Plans and tiers', Icon: IconStack2, isFor: isOperator },
  { to: '/operator/jobs', label: 'Jobs', Icon: IconSettingsAutomation, isFor: those('getJobs') },
  { to: '/operator/audit', label: 'Audit', Icon: IconClipboardList, isFor: those('getAudit') },
] as const;

export function screensOf(caller: Caller) {
  return SCREENS.filter(({ isFor }) => isFor(caller));
}
