<?php

declare(strict_types=1);

namespace Mailstead\Whmcs;

/** Why a function of the module did not succeed, as one sentence for WHMCS's staff. It contains no secret. */
class Failure extends \RuntimeException
{
}
