import { isOperator } from '../../api/caller.js';
import { BeginButton, useDialog } from '../../parts/dialog-button.js';
import { Page } from '../../parts/page.js';
import { useView } from '../frame/view.js';
import { AllKeys } from './all-keys.js';
import { CreateKey } from './create-key.js';
import { CreateOwnKey } from './create-own-key.js';
import { OwnKeys } from './own-keys.js';

/** A partner's own keys; for operators the keys of all partners, or of the one that is seen. */
export function KeysPage() {
  const { caller, partnerRef, may } = useView();
  const creating = useDialog();
  const begin = <BeginButton label="Create the first key" dialog={creating} />;
  if (isOperator(caller))
    return (
      <Page title="Keys" actions={may('postApiKeys') && <CreateKey dialog={creating} />}>
        <AllKeys partnerRef={partnerRef} begin={may('postApiKeys') && begin} />
      </Page>
    );
  return (
    <Page title="Keys" actions={may('postMeKeys') && <CreateOwnKey dialog={creating} />}>
      <OwnKeys begin={may('postMeKeys') && begin} />
    </Page>
  );
}
