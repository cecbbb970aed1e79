import { Group, Text } from '@mantine/core';
import { Fragment } from 'react';
import type { Job } from '../../../api/shapes.js';
import { countOf } from '../../../parts/numbers.js';
import { Section } from '../../../parts/page.js';
import { Row, Rows } from '../../../parts/row.js';
import { StatusMark } from '../../../parts/status-mark.js';
import { Time } from '../../../parts/time.js';
import { useView } from '../../frame/view.js';
import { RunNow } from './run-now.js';

/** The only job that can be run again by its name. */
const RELAY_EVENTS = 'relay-events.process';

/** Jobs that are not tried again by themselves, with their reasons. */
export function FailedJobs({ jobs }: { jobs: Job[] }) {
  const { may } = useView();
  const failing = jobs.filter(({ failed }) => failed.length > 0);
  return (
    <Section title="Failed">
      {failing.length === 0 && <StatusMark mark="good">No job has failed.</StatusMark>}
      {failing.map(({ name, failed }) => (
        <Fragment key={name}>
          <Group justify="space-between">
            <StatusMark mark="bad">{`${name}: ${countOf(failed.length, 'failure')}`}</StatusMark>
            {may('postJobsNameRun') && name === RELAY_EVENTS && <RunNow name={name} />}
          </Group>
          <Rows>
            {failed.map(({ id, reason, attempts, at }) => (
              <Row
                key={id}
                severity="bad"
                title={
                  <Text size="sm" className="portal-value">
                    {reason}
                  </Text>
                }
              >
                <Text size="xs" c="dimmed">
                  No. {id}, tried {countOf(attempts, 'time')}, <Time at={at} />
                </Text>
              </Row>
            ))}
          </Rows>
        </Fragment>
      ))}
    </Section>
  );
}
