import { Screen } from '../../shell/screen.tsx'

export const RuntimesScreen = () => <Screen title="Runtimes">{null}</Screen>
