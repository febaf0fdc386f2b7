// Prints which picture of this package's catalogue a window of scale 2 shows.
import CarveRuntime

var window = CarveRuntime.Environment()
window.scale = 2
let view = try Assets.view(for: window)
if let rocket = view.find(Assets.rocket), let accent = view.find(Assets.Color.accent) {
  let red = (try Assets.catalog().color(of: accent).red * 255).rounded()
  print("Rocket \(rocket.pixelSize.width)x\(rocket.pixelSize.height), Accent red \(Int(red))")
}
