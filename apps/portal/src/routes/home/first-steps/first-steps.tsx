import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { may as mayCall } from '../../../api/caller.js';
import { firstStepsQuery, presentStep } from '../../../api/first-steps.js';
import { loadAgain } from '../../../load-again.js';
import { useView } from '../../frame/view.js';
import { ahead } from '../../screen.js';
import { hideFor, isHiddenFor } from './hidden.js';

// Newcomers alone need it, and Home is what is loaded first.
const loadSteps = ahead(() => import('./step-list.js'));
const StepList = lazy(async () => ({ default: (await loadAgain(loadSteps)).StepList }));

/**
 * The way to the first message, until it was counted. Nothing before the service has answered, so that who has sent
 * for long never sees it.
 */
export function FirstSteps() {
  const { caller, partnerRef } = useView();
  const kind = partnerRef === undefined ? caller.kind : 'as';
  const [isHidden, setIsHidden] = useState(() => isHiddenFor(kind));
  const [wasOpen, setWasOpen] = useState(false);
  const isAsked = !isHidden && mayCall(caller, 'getMeFirstSteps');
  const { data } = useQuery({ ...firstStepsQuery(partnerRef), enabled: isAsked });
  if (!isAsked || data === undefined) return null;
  const isOpen = presentStep(data) !== null;
  if (isOpen && !wasOpen) setWasOpen(true);
  if (!isOpen && !wasOpen) return null;
  const hide = () => {
    hideFor(kind);
    setIsHidden(true);
  };
  return (
    <Suspense>
      <StepList found={data} onHide={hide} />
    </Suspense>
  );
}
