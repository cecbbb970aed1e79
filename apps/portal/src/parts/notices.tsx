import '@mantine/notifications/styles.css';
import { Notifications } from '@mantine/notifications';

/** Where short messages appear (`notifications.show`). */
export function Notices() {
  return <Notifications position="bottom-right" limit={3} />;
}
