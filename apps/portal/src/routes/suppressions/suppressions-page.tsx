import { Text } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { isWholePartner, may as mayCall } from '../../api/caller.js';
import { Page } from '../../parts/page.js';
import { t } from '../../texts/texts.js';
import { useView } from '../frame/view.js';
import { SuppressionList } from './suppression-list.js';
import { SuppressionModeSwitch } from './suppression-mode.js';

const route = getRouteApi('/in/suppressions');

/** The addresses to which none, or some, of the caller's domains send. */
export function SuppressionsPage() {
  const { domain, reason } = route.useSearch();
  const navigate = route.useNavigate();
  const { caller, partnerRef, may } = useView();
  const isOwn = caller.kind === 'client';
  const hasMode = isOwn
    ? isWholePartner(caller)
    : partnerRef !== undefined && mayCall(caller, 'getPartnersPartnerRefSuppressions');
  return (
    <Page title="Suppressions">
      <Text size="sm">{t('suppression.what')}</Text>
      {hasMode && (
        <SuppressionModeSwitch
          partnerRef={isOwn ? undefined : partnerRef}
          mayChange={may(isOwn ? 'putMeSuppressions' : 'putPartnersPartnerRefSuppressions')}
        />
      )}
      <SuppressionList
        domain={domain}
        reason={reason}
        onReason={(value) => void navigate({ search: (now) => ({ ...now, reason: value }), replace: true })}
      />
    </Page>
  );
}
