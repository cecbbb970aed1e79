import {
  IconActivity,
  IconBuildingCommunity,
  IconClipboardList,
  IconDevices,
  IconHome,
  IconKey,
  IconLink,
  IconReceipt,
  IconSettingsAutomation,
  IconStack2,
  IconTrash,
  IconWorld,
} from '@tabler/icons-react';
import { isOperator, isWholePartner, keepsKeys, readsAll, readsHistory, readsUsage } from '../../api/caller.js';
import type { Caller } from '../../api/shapes.js';

const everyone = () => true;
const wholeReaders = (caller: Caller) => readsHistory(caller) && isWholePartner(caller);
const keyKeepers = (caller: Caller) => keepsKeys(caller) || readsAll(caller);

/** The screens of the menu, which Ctrl-K finds too, and who has them. */
const SCREENS = [
  { to: '/', label: 'Home', Icon: IconHome, isFor: everyone },
  { to: '/domains', label: 'Domains', Icon: IconWorld, isFor: everyone },
  { to: '/events', label: 'Events', Icon: IconActivity, isFor: readsHistory },
  { to: '/keys', label: 'Keys', Icon: IconKey, isFor: keyKeepers },
  { to: '/links', label: 'Links', Icon: IconLink, isFor: wholeReaders },
  { to: '/usage', label: 'Usage', Icon: IconReceipt, isFor: readsUsage },
  { to: '/deleted', label: 'Deleted', Icon: IconTrash, isFor: readsHistory },
  { to: '/sessions', label: 'Sessions', Icon: IconDevices, isFor: everyone },
  { to: '/operator/partners', label: 'Partners', Icon: IconBuildingCommunity, isFor: readsAll },
  { to: '/operator/plans', label: 'Plans and tiers', Icon: IconStack2, isFor: isOperator },
  { to: '/operator/jobs', label: 'Jobs', Icon: IconSettingsAutomation, isFor: readsAll },
  { to: '/operator/audit', label: 'Audit', Icon: IconClipboardList, isFor: readsAll },
] as const;

export function screensOf(caller: Caller) {
  return SCREENS.filter(({ isFor }) => isFor(caller));
}
