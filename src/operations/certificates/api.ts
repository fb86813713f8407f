import { domain } from "@/kernel/http/domain.ts";
import { takeRenewedCertificate } from "./host.ts";
import { dueAt, obtainIfDue } from "./running.ts";

export default domain({
  name: "certificates",
  about: "getting and renewing the server's certificate by ACME, and serving it",
  jobs: [
    { name: "certificate", everySeconds: 10, run: obtainIfDue, nextDue: dueAt },
    {
      name: "served-certificate",
      everySeconds: 1,
      onEachNode: true,
      run: takeRenewedCertificate,
      nextDue: () => Number.POSITIVE_INFINITY,
    },
  ],
});
