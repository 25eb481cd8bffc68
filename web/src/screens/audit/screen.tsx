import { Screen } from '../../shell/screen.tsx'

export const AuditScreen = () => <Screen title="Audit">{null}</Screen>
