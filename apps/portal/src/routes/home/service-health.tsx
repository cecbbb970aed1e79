import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { may } from '../../api/caller.js';
import { jobsQuery, warningsQuery } from '../../api/jobs.js';
import { useCaller } from '../../api/session.js';
import { TextLink } from '../../parts/links.js';
import { countOf } from '../../parts/numbers.js';
import { Section } from '../../parts/page.js';
import { Queried } from '../../parts/queried.js';
import { Row, Rows } from '../../parts/row.js';
import { StatusMark } from '../../parts/status-mark.js';

/** Beside the title of Home: that the service needs nobody. */
export function ServiceFine() {
  const { warnings, failing } = useFindings();
  if (warnings.data === undefined || warnings.data.length + failing.length > 0) return null;
  return <StatusMark mark="good">No warnings: database, relay and jobs work.</StatusMark>;
}

/** For the operator: what of the service itself needs someone. */
export function ServiceHealth() {
  const { warnings: query, failing } = useFindings();
  if (query.error === null && (query.data ?? []).length + failing.length === 0) return null;
  return (
    <Section title="The service">
      <Queried query={query}>
        {(warnings) => (
          <Rows>
            {warnings.map(({ name, detail }) => (
              <Row
                key={detail}
                severity="wait"
                title={<Title>{name}</Title>}
                status={<StatusMark mark="warn">Warning</StatusMark>}
              >
                <Text size="xs" c="dimmed">
                  {detail}
                </Text>
              </Row>
            ))}
            {failing.map(({ name, failed }) => (
              <Row
                key={name}
                severity="bad"
                title={<Title>{name}</Title>}
                status={<StatusMark mark="bad">{countOf(failed.length, 'dead job')}</StatusMark>}
              >
                <TextLink to="/operator/jobs" size="xs">
                  See why
                </TextLink>
              </Row>
            ))}
          </Rows>
        )}
      </Queried>
    </Section>
  );
}

function useFindings() {
  const caller = useCaller();
  const warnings = useQuery(warningsQuery);
  const jobs = useQuery({ ...jobsQuery, enabled: may(caller, 'getJobs'), refetchInterval: false });
  return { warnings, failing: (jobs.data ?? []).filter(({ failed }) => failed.length > 0) };
}

function Title({ children }: { children: string }) {
  return (
    <Text size="sm" fw={600}>
      {children}
    </Text>
  );
}
