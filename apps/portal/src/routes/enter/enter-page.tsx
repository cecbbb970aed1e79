import { getRouteApi, useRouter } from '@tanstack/react-router';
import { begin } from '../../api/session.js';
import { Door } from './door.js';
import { placeOf } from './place.js';

const route = getRouteApi('/enter');

/** The door for who comes without a session. It leads to where one wanted to go, or to the beginning. */
export function EnterPage() {
  const { why, code = '', to } = route.useSearch();
  const { history, basepath } = useRouter();
  return (
    <Door
      why={why === undefined ? undefined : { code, detail: why }}
      onEntered={(session) => {
        begin(session);
        history.push(basepath + (placeOf(to) ?? '/'));
      }}
    />
  );
}
