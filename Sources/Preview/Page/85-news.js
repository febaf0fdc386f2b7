// Reloads a served page when a new one is ready; the settings stay, because the fragment has them.
function showBanner(text) {
  byId("banner").hidden = text === "";
  byId("banner").textContent = text;
}

function listenForNews() {
  if (!location.protocol.startsWith("http")) return;
  const news = new EventSource("/news");
  news.addEventListener("page", () => location.reload());
  news.addEventListener("trouble", event => showBanner(event.data));
}
