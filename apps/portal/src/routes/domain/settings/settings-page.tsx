import { Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { domainQuery } from '../../../api/domains.js';
import { Queried } from '../../../parts/queried.js';
import { Empty } from '../../../parts/states.js';
import { t } from '../../../texts/texts.js';
import { useView } from '../../frame/view.js';
import { useDomainName } from '../domain-name.js';
import { DeleteDomain } from './delete-domain.js';
import { OperatorSettings } from './operator-settings.js';
import { OutsideSenders } from './outside-senders.js';
import { Reference } from './reference.js';
import { Suspension } from './suspension.js';

/** What is changed here. */
const TASKS = [
  'putDomainsDomainName',
  'putDomainsDomainNamePlan',
  'putDomainsDomainNameSuspend',
  'deleteDomainsDomainName',
] as const;

/** What may be changed of a domain, the gravest last. */
export function SettingsPage() {
  const query = useQuery(domainQuery(useDomainName()));
  const { may } = useView();
  if (!TASKS.some(may)) return <Empty title={t('settings.nothing')}>{t('settings.nothingWhy')}</Empty>;
  return (
    <Queried query={query}>
      {(domain) => (
        <Stack gap="lg" maw={640}>
          {may('putDomainsDomainName') && <Reference key={`reference-${domain.id}`} domain={domain} />}
          {may('putDomainsDomainName') && <OutsideSenders domain={domain} />}
          {may('putDomainsDomainNamePlan') && <OperatorSettings key={`operator-${domain.id}`} domain={domain} />}
          {may('putDomainsDomainNameSuspend') && <Suspension domain={domain} />}
          {may('deleteDomainsDomainName') && <DeleteDomain domain={domain} />}
        </Stack>
      )}
    </Queried>
  );
}
