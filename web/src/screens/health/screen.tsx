import { Screen } from '../../shell/screen.tsx'

export const HealthScreen = () => <Screen title="Health">{null}</Screen>
