import { isOperator } from '../../api/caller.js';
import { Page } from '../../parts/page.js';
import { useView } from '../frame/view.js';
import { AllKeys } from './all-keys.js';
import { CreateKey } from './create-key.js';
import { CreateOwnKey } from './create-own-key.js';
import { OwnKeys } from './own-keys.js';

/** A partner's own keys; for operators the keys of all partners, or of the one that is seen. */
export function KeysPage() {
  const { caller, partnerRef, may } = useView();
  if (isOperator(caller))
    return (
      <Page title="Keys" actions={may('postApiKeys') && <CreateKey />}>
        <AllKeys partnerRef={partnerRef} />
      </Page>
    );
  return (
    <Page title="Keys" actions={may('postMeKeys') && <CreateOwnKey />}>
      <OwnKeys />
    </Page>
  );
}
