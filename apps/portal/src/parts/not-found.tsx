import { t } from '../texts/texts.js';
import { LinkButton } from './links.js';
import { Empty } from './states.js';

export function NotFound() {
  return (
    <Empty title={t('page.notFound')} action={<LinkButton to="/">{t('page.toHome')}</LinkButton>}>
      {t('page.notFoundWhy')}
    </Empty>
  );
}
