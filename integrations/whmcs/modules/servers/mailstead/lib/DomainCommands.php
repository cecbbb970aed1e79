<?php

declare(strict_types=1);

namespace Mailstead\Whmcs;

/** What WHMCS does with the domain of a service. Each command brings the domain to one state, so it can be repeated. */
final class DomainCommands
{
    private readonly Api $api;
    private readonly Caller $caller;
    private readonly Service $service;
    private readonly string $path;

    public function __construct(private readonly Module $module)
    {
        $this->service = $module->service();
        $this->caller = $module->caller();
        $this->api = $module->api;
        $this->path = Api::domainPath($this->service->domain);
    }

    /** Creates the domain or finds it created, sets its plan, and lifts the suspension of an earlier termination. */
    public function create(): void
    {
        $plan = $this->service->settings->planFor($this->caller);
        $domain = $this->createOrFind($this->service->settings->partnerFor($this->caller));
        $this->module->remember($domain);
        if ($plan !== null) {
            $this->api->put("$this->path/plan", ['plan' => $plan]);
        }
        if (in_array($this->caller->cause(), $domain['suspension_causes'], true)) {
            $this->lift();
        }
    }

    public function suspend(): void
    {
        $this->ownDomain();
        $this->addCause();
    }

    /** @throws Failure also when the domain stays suspended for another cause */
    public function activate(): void
    {
        $this->ownDomain();
        $this->lift();
    }

    public function terminate(): void
    {
        try {
            $this->ownDomain();
            if ($this->service->settings->deletes) {
                $this->api->delete($this->path);
            } else {
                $this->addCause();
            }
        } catch (ApiProblem $problem) {
            // The domain is gone, so nothing is left to terminate.
            if ($problem->problemCode !== 'domain_not_found') {
                throw $problem;
            }
        }
    }

    /** A product without a plan changes nothing. */
    public function changePlan(): void
    {
        $plan = $this->service->settings->planFor($this->caller);
        $this->ownDomain();
        if ($plan !== null) {
            $this->api->put("$this->path/plan", ['plan' => $plan]);
        }
    }

    /** @return array<mixed> the domain */
    private function createOrFind(string $partner): array
    {
        $new = ['name' => $this->service->domain, 'external_ref' => $this->service->reference];
        try {
            $this->api->post('/domains/', $this->caller->isPartner() ? $new : $new + ['partner_ref' => $partner]);
        } catch (ApiProblem $problem) {
            if ($problem->problemCode === 'domain_exists') {
                return $this->found($partner, $problem);
            }
            throw $problem;
        }
        return $this->module->domain();
    }

    /**
     * @param ApiProblem $exists what the API said of the name, which is the answer for a domain of somebody else
     * @return array<mixed>
     */
    private function found(string $partner, ApiProblem $exists): array
    {
        try {
            $domain = $this->module->domain();
        } catch (ApiProblem $problem) {
            throw $problem->problemCode === 'domain_not_found' ? $exists : $problem;
        }
        if (($domain['partner_ref'] ?? null) !== $partner || !$this->service->owns($domain)) {
            throw $exists;
        }
        return $domain;
    }

    private function ownDomain(): void
    {
        $this->module->remember($this->module->ownDomain());
    }

    private function addCause(): void
    {
        $this->api->put("$this->path/suspend", $this->causeBody());
    }

    private function lift(): void
    {
        $domain = $this->api->put("$this->path/activate", $this->causeBody());
        $causes = array_filter($domain['suspension_causes'] ?? [], is_string(...));
        if ($causes !== []) {
            throw new Failure('The domain stays suspended, for another cause: ' . implode(', ', $causes) . '.');
        }
    }

    /** @return array<string, string>|null a client names no cause: its own is always `partner` */
    private function causeBody(): ?array
    {
        return $this->caller->isPartner() ? null : ['cause' => $this->caller->cause()];
    }
}
