<?php

declare(strict_types=1);

namespace Mailstead\Whmcs;

use WHMCS\Database\Capsule;

/** The services of one server in WHMCS's database. */
final class ServicesOfServer
{
    private const MB = 1_048_576;

    /** @return iterable<object> rows of {id, domain, partner} of the services that are active or suspended */
    public static function read(int $serverId): iterable
    {
        return Capsule::table('tblhosting')
            ->join('tblproducts', 'tblproducts.id', '=', 'tblhosting.packageid')
            ->where('tblproducts.servertype', 'mailstead')
            ->where('tblhosting.server', $serverId)
            ->whereIn('tblhosting.domainstatus', ['Active', 'Suspended'])
            ->get(['tblhosting.id', 'tblhosting.domain', 'tblproducts.' . Settings::PARTNER_COLUMN . ' as partner']);
    }

    /**
     * @param int $transferBytes of this month
     * @param int $transferCapMb 0: unlimited
     * @param int|null $storageMb null: the mail server did not report it, so the number in WHMCS stays
     */
    public static function write(int $serviceId, int $transferBytes, int $transferCapMb, ?int $storageMb): void
    {
        Capsule::table('tblhosting')->where('id', $serviceId)->update(
            ($storageMb === null ? [] : ['diskusage' => $storageMb]) + [
                'bwusage' => (int) ceil($transferBytes / self::MB),
                'bwlimit' => $transferCapMb,
                'lastupdate' => Capsule::raw('now()'),
            ],
        );
    }
}
