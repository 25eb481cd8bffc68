import { Screen } from '../../shell/screen.tsx'

export const LimitsScreen = () => <Screen title="Limits">{null}</Screen>
