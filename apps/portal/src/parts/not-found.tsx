import { LinkButton } from './links.js';
import { Empty } from './states.js';

export function NotFound() {
  return (
    <Empty title="There is no such page" action={<LinkButton to="/">To Home</LinkButton>}>
      The address may be misspelt, or what it showed is gone.
    </Empty>
  );
}
